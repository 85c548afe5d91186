import type { AnswerDescription, JobAnswer } from './job-answer.ts';
import type { Job } from './job.ts';

/** What goes on record beside an answer, as its job sees it. */
export function describeAnswer(job: Job, answer: JobAnswer): AnswerDescription {
  return { summary: job.summarize(answer), index: job.index?.(answer) ?? {}, isReviewed: job.usesPolicy };
}
