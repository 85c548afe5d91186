import { AgonError } from '../errors.ts';
import { documentsJob, documentsSettings } from './documents/index.ts';
import { evaluationJob, evaluationSettings } from './evaluation/index.ts';
import type { Job, JobLearning } from './job.ts';
import { moderationJob, moderationSettings } from './moderation/index.ts';

export * from './correction.ts';
export * from './findings.ts';
export type * from './job.ts';
export type * from './job-answer.ts';
export type * from './job-inputs.ts';
export type * from './job-kit.ts';
export type * from './job-report.ts';
export type * from './job-trial.ts';
export { assertDebateHeard, assertHeard, assertJudged, budgetSpentError } from './assert-heard.ts';
export { defineJob, type JobDecision, type JobDefinition } from './define-job.ts';
export { argumentSchema, defineRole, type Argument, type DefinedRole, type RoleDefinition } from './define-role.ts';

/** The jobs that Agon comes with. */
export const ownJobs = [moderationJob, evaluationJob, documentsJob] as const;

/** Their blocks of the settings. */
export const ownSettings = {
  moderation: moderationSettings,
  evaluation: evaluationSettings,
  documents: documentsSettings,
};

const known = new Map<string, Job>(ownJobs.map((job) => [job.id, job]));

/** Every job of this process: Agon's own, and those that were added. */
export function listJobs(): readonly Job[] {
  return [...known.values()];
}

/**
 * Adds a job from outside: from then on runs, reports, the ledger, the server and the CLI know it by its id.
 *
 * @example addJob(defineJob({ id: 'merge', … }))
 */
export function addJob(job: Job): void {
  if (!/^[a-z][a-z0-9-]*$/.test(job.id))
    throw new AgonError(
      'unreadable-job',
      `A job cannot have the id ${JSON.stringify(job.id)}.`,
      'Use lower-case letters, digits and hyphens.',
    );
  const other = known.get(job.id);
  if (other && other !== job)
    throw new AgonError('duplicate-job', `There is a job ${job.id} already.`, 'Give yours another id.');
  known.set(job.id, job);
}

/** The job of this id; undefined where there is none. */
export function findJob(id: string): Job | undefined {
  return known.get(id);
}

/** The same; says which there are where there is none. */
export function requireJob(id: string): Job {
  const job = known.get(id);
  if (job) return job;
  throw new AgonError('unknown-job', `There is no job ${JSON.stringify(id)}.`, {
    library: `There are ${[...known.keys()].join(', ')}; add a job of your own with addJob.`,
    cli:
      `There are ${[...known.keys()].join(', ')}; name a job of your own with --job FILE, or under jobs in ` +
      'agon.config.',
    api: 'GET /api/jobs lists them.',
  });
}

/** A job that learns from its mistakes. */
export type LearningJob = Job & { readonly learning: JobLearning };

export function listLearningJobs(): LearningJob[] {
  return listJobs().filter((job): job is LearningJob => job.learning !== undefined);
}

/** The job of this id, or the first that learns; says so where it does not. */
export function requireLearningJob(id?: string): LearningJob {
  const learning = listLearningJobs();
  const job = learning.find((one) => id === undefined || one.id === id);
  if (job) return job;
  throw new AgonError(
    'other-job',
    `The job ${id} does not learn from mistakes.`,
    `Learn from cases of ${learning.map((one) => one.id).join(' or ')}.`,
  );
}
