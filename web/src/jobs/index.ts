import type { Job } from '../api/types.ts';
import type { ConsoleJob } from './console-job.ts';
import { documents } from './documents/index.ts';
import { evaluation } from './evaluation/index.ts';
import { describeAnyJob } from './generic/index.ts';
import { moderation } from './moderation/index.ts';

/** The jobs that have forms and views of their own; every other job is shown by the generic ones. */
export const consoleJobs: readonly ConsoleJob[] = [moderation, evaluation, documents];

export function findJob(id: string): ConsoleJob {
  return consoleJobs.find((job) => job.id === id) ?? describeAnyJob(id);
}

/** The id of a job that an address names; undefined where it names none. */
export function readJobId(given: string | undefined): Job | undefined {
  return consoleJobs.find(({ id }) => id === given)?.id;
}
