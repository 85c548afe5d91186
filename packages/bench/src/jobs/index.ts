import type { Job, Jobs } from '@agonhq/judges/job';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { JobBench } from '../job-bench.ts';
import { documentsBench } from './documents/bench.ts';
import { evaluationBench } from './evaluation/bench.ts';
import { makeGenericBench } from './generic.ts';
import { moderationBench } from './moderation/bench.ts';

const own: readonly JobBench[] = [moderationBench, evaluationBench, documentsBench];
const generic = new Map<Job, JobBench>();

/** What each of these jobs brings to the bench; those from outside what every job has. */
export function listJobBenches(jobs: Jobs = ownJobs): JobBench[] {
  return jobs.list().map(benchOf);
}

/** The same of the job of this id; says which there are where there is none. */
export function requireJobBench(id: string, jobs: Jobs = ownJobs): JobBench {
  return benchOf(jobs.require(id));
}

function benchOf(job: Job): JobBench {
  const known = own.find((bench) => bench.job === job.id) ?? generic.get(job);
  if (known) return known;
  const made = makeGenericBench(job);
  generic.set(job, made);
  return made;
}
