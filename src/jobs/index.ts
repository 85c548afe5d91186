import { documentsJob, documentsSettings } from './documents/index.ts';
import { evaluationJob, evaluationSettings } from './evaluation/index.ts';
import type { Job } from './job.ts';
import { createJobs, type Jobs } from './jobs.ts';
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
export { describeAnswer } from './describe-answer.ts';
export { defineJob, type JobDecision, type JobDefinition } from './define-job.ts';
export { createJobs, type Jobs, type LearningJob } from './jobs.ts';
export { argumentSchema, defineRole, type Argument, type DefinedRole, type RoleDefinition } from './define-role.ts';

/** The jobs that Agon comes with. */
export const ownJobs = [moderationJob, evaluationJob, documentsJob] as const;

/** Their blocks of the settings. */
export const ownSettings = {
  moderation: moderationSettings,
  evaluation: evaluationSettings,
  documents: documentsSettings,
};

let added: readonly Job[] = [];
let jobs = createJobs(ownJobs);

/** Every job of this process: Agon's own, and those that were added. */
export const allJobs: Jobs = {
  list: () => jobs.list(),
  find: (id) => jobs.find(id),
  require: (id) => jobs.require(id),
  listLearning: () => jobs.listLearning(),
  requireLearning: (id) => jobs.requireLearning(id),
};
export const {
  list: listJobs,
  find: findJob,
  require: requireJob,
  listLearning: listLearningJobs,
  requireLearning: requireLearningJob,
} = allJobs;

/**
 * Adds a job from outside: from then on runs, reports, the ledger, the server and the CLI know it by its id.
 *
 * @example addJob(defineJob({ id: 'merge', … }))
 */
export function addJob(job: Job): void {
  jobs = createJobs([...ownJobs, ...added, job]);
  added = [...added, job];
}
