import { z } from 'zod';
import type { JobAnswer, LearningJob, StudiedCase } from '../jobs/index.ts';

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

const words = (most: number) => z.string().trim().min(1).max(most);

/** What can become a precedent: the bounds are those of the library. */
export const teachableSchema = lessonSchema.extend({
  summary: words(1_000),
  cues: z.array(words(500)).min(1).max(20),
  why: words(1_500),
  excerpt: words(20_000),
});

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

export function postMortemOf({ learning }: LearningJob, answer: JobAnswer, truth: Truth): PostMortem {
  return { ...learning.studyAnswer(answer), truth };
}
