import { documentsJob } from '@agonhq/documents';
import { evaluationJob } from '@agonhq/judges/evaluation';
import { createJobs, type Job, type Jobs } from '@agonhq/judges/job';
import { moderationJob } from '@agonhq/judges/moderation';

/** The jobs that Agon comes with: for the edges, where nobody has said which jobs there are. */
export const ownJobs = createJobs([moderationJob, evaluationJob, documentsJob]);

let added: readonly Job[] = [];
let jobs = ownJobs;

/** Every job of this process: Agon's own, and those that were added. */
export const allJobs: Jobs = {
  list: () => jobs.list(),
  find: (id) => jobs.find(id),
  require: (id) => jobs.require(id),
  listBlocks: () => jobs.listBlocks(),
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
  jobs = createJobs([...ownJobs.list(), ...added, job]);
  added = [...added, job];
}
