import type { SentJob } from '../api/client.ts';
import type { ConsoleJob } from './console-job.ts';
import { documents } from './documents/index.ts';
import { evaluation } from './evaluation/index.ts';
import { describeAnyJob, type JobInfo } from './generic/index.ts';
import { moderation } from './moderation/index.ts';

/** The jobs that have forms and views of their own; every other job is shown by the generic ones. */
export const consoleJobs: readonly ConsoleJob[] = [moderation, evaluation, documents];

const otherJobs = new Map<string, ConsoleJob>();

export function findConsoleJob(id: string): ConsoleJob {
  return consoleJobs.find((job) => job.id === id) ?? otherJobs.get(id) ?? addConsoleJob({ id });
}

/** What a server says of a job, where the console has no views for it. */
export function addConsoleJob(info: JobInfo): ConsoleJob {
  const own = consoleJobs.find((job) => job.id === info.id);
  if (own) return own;
  const job = describeAnyJob(info);
  otherJobs.set(info.id, job);
  return job;
}

/** The id of a job that an address names; undefined where it names none. */
export function readJobId(given: string | undefined): SentJob | undefined {
  return [...consoleJobs, ...otherJobs.values()].find(({ id }) => id === given)?.id;
}
