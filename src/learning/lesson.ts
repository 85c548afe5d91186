import { z } from 'zod';
import { lessonSchema } from '../lesson.ts';
import type { JobAnswer, LearningJob, StudiedCase } from '../jobs/index.ts';

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
