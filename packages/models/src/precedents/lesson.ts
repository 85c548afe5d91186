import { z } from 'zod';
import type { StudiedCase } from '@agonhq/judges/job';

/**
 * The curator's answer, as it is asked for. The statement comes first; lengths are checked afterwards, since not
 * every provider can.
 */
export const lessonSchema = z.object({
  statement: z.string(),
  turn: z.string(),
  fault: z.enum(['overlooked', 'overvalued', 'none']),
  what: z.string(),
  summary: z.string(),
  cues: z.array(z.string()),
  why: z.string(),
  clause: z.string().nullable(),
  excerpt: z.string(),
});

/** What a case teaches: where its debate went wrong, and what to look for the next time. */
export type Lesson = z.infer<typeof lessonSchema>;

/** What was right all along, and who says so. */
export interface Truth {
  label: 'safe' | 'unsafe';
  why: string | null;
  clause: string | null;
  by: string;
}

/** A finished case as the curator sees it: the content, the whole trial, and the truth. */
export interface PostMortem extends StudiedCase {
  truth: Truth;
}
