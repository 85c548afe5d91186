import { z } from 'zod';
import { lessonSchema, type PostMortem, type Truth } from '@agonhq/models/precedents/lesson';
import type { JobAnswer, LearningJob } from '@agonhq/judges/job';

const words = (most: number) => z.string().trim().min(1).max(most);

/** What can become a precedent: the bounds are those of the library. */
export const teachableSchema = lessonSchema.extend({
  summary: words(1_000),
  cues: z.array(words(500)).min(1).max(20),
  why: words(1_500),
  excerpt: words(20_000),
});

export function postMortemOf({ learning }: LearningJob, answer: JobAnswer, truth: Truth): PostMortem {
  return { ...learning.studyAnswer(answer), truth };
}
