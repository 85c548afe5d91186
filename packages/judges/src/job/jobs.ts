import { AgonError } from '@agonhq/engine/agon-error';
import type { Job, JobLearning } from './job.ts';

/** A job that learns from its mistakes. */
export type LearningJob = Job & { readonly learning: JobLearning };

/** What settings say of a job: its block, and who sits where. */
export type JobBlock = Pick<Job, 'id' | 'seats' | 'settings' | 'calibratedWith'>;

/** The jobs that there are, for whoever serves any of them: handed on from where Agon is put together. */
export interface Jobs {
  list(): readonly Job[];
  /** The job of this id; undefined where there is none. */
  find(id: string): Job | undefined;
  /** The same; says which there are where there is none. */
  require(id: string): Job;
  /** What settings may say of them, and of others that are not loaded. */
  listBlocks(): readonly JobBlock[];
  listLearning(): readonly LearningJob[];
  /** The job of this id, or the first that learns; says so where it does not. */
  requireLearning(id?: string): LearningJob;
}

/**
 * Jobs by their ids, in this order; the same job may be named twice, another of its id may not. Settings may have the
 * `blocks` of others beside theirs.
 */
export function createJobs(jobs: readonly Job[], blocks: readonly JobBlock[] = []): Jobs {
  const known = new Map<string, Job>();
  for (const job of jobs) {
    if (!/^[a-z][a-z0-9-]*$/.test(job.id))
      throw new AgonError(
        'unreadable-job',
        `A job cannot have the id ${JSON.stringify(job.id)}.`,
        'Use lower-case letters, digits and hyphens.',
      );
    if ((known.get(job.id) ?? job) !== job)
      throw new AgonError('duplicate-job', `There is a job ${job.id} already.`, 'Give yours another id.');
    known.set(job.id, job);
  }
  const all = [...known.values()];
  const configurable = [...new Map([...blocks, ...all].map((block) => [block.id, block])).values()];
  const ids = [...known.keys()].join(', ');
  const learning = all.filter((job): job is LearningJob => job.learning !== undefined);
  return {
    list: () => all,
    find: (id) => known.get(id),
    require(id) {
      const job = known.get(id);
      if (job) return job;
      throw new AgonError('unknown-job', `There is no job ${JSON.stringify(id)}.`, {
        library: `There are ${ids}; hand a job of your own to createAgon: \`jobs\`.`,
        cli: `There are ${ids}; name a job of your own with --job FILE, or under jobs in agon.config.`,
        api: 'GET /api/jobs lists them.',
      });
    },
    listBlocks: () => configurable,
    listLearning: () => learning,
    requireLearning(id) {
      const job = learning.find((one) => id === undefined || one.id === id);
      if (job) return job;
      throw new AgonError(
        'other-job',
        `The job ${id} does not learn from mistakes.`,
        `Learn from cases of ${learning.map((one) => one.id).join(' or ')}.`,
      );
    },
  };
}
