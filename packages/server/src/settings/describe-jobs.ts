import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { chooseSensitivity } from '@agonhq/engine/policy/sensitivity';
import { blockOf } from '@agonhq/core/settings';
import type { ServerContext } from '../server-context.ts';

interface JobSeats {
  /** By seat its model. */
  seats: Record<string, string>;
  /** Why the job cannot be done. */
  problem: AgonError | null;
}

/** By job, who sits where; a job that cannot be done has nobody. */
export async function describeSeats({ jobs, agons }: ServerContext): Promise<Map<string, JobSeats>> {
  const read = await Promise.all(
    jobs.list().map(async (job): Promise<[string, JobSeats]> => {
      try {
        const agon = await agons.agonFor(job.id);
        return [job.id, { seats: agon.provenanceOf(job).models, problem: null }];
      } catch (error) {
        if (!AgonError.is(error)) throw error;
        return [job.id, { seats: {}, problem: error }];
      }
    }),
  );
  return new Map(read);
}

/** By job, the method and the sensitivity that are in force. */
export function listConfigured({ jobs, settings, agons }: ServerContext): z.output<typeof schemas.self>['configured'] {
  const sensitivity = chooseSensitivity(settings.sensitivity, agons.activePolicy());
  return Object.fromEntries(
    jobs.list().map((job) => {
      const { method } = blockOf(settings, job);
      return [job.id, { method: typeof method === 'string' ? method : (job.methods[0] ?? null), sensitivity }];
    }),
  );
}
