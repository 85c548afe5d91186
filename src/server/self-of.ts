import type { OwnJobId as Job } from '../jobs/index.ts';
import { documentsJob } from '../jobs/documents/index.ts';
import { evaluationJob } from '../jobs/evaluation/index.ts';
import { moderationJob } from '../jobs/moderation/index.ts';
import type { z } from 'zod';
import { scopes, type schemas, type Scope } from '../api/index.ts';
import { AgonError } from '../errors.ts';
import { version } from '../version.ts';
import { mayDo, type Principal } from './auth/principal.ts';
import type { House } from './server-context.ts';

const jobs: readonly Job[] = ['moderation', 'evaluation', 'documents'];

/** Who somebody is here, and what the server is. */
export async function selfOf(principal: Principal, house: House): Promise<z.output<typeof schemas.self>> {
  const { name, version: policyVersion, hash } = house.courts.policy();
  const { bodyBytes, uploadBytes, concurrency, queue, timeoutSeconds } = house.limits;
  const may = scopes.filter((scope: Scope) => mayDo(principal, scope));
  return {
    agon: version,
    key: principal.key,
    scopes: may,
    policy: { name, version: policyVersion, hash },
    models: await modelsOf(house),
    limits: { bodyBytes, uploadBytes, concurrency, queue, timeoutSeconds },
  };
}

/** By job, who sits where; a job that cannot be done has nobody. */
async function modelsOf({ courts }: House): Promise<Record<string, Record<string, string>>> {
  const named = await Promise.all(
    jobs.map(async (job) => {
      try {
        const agon = await courts.court(job);
        return [
          job,
          {
            moderation: () => agon.provenanceOf(moderationJob),
            evaluation: () => agon.provenanceOf(evaluationJob),
            documents: () => agon.provenanceOf(documentsJob),
          }[job]().models,
        ] as const;
      } catch (error) {
        if (!AgonError.is(error)) throw error;
        return [job, {}] as const;
      }
    }),
  );
  return Object.fromEntries(named);
}
