import { documentsJob, type Documents } from '../../jobs/documents/index.ts';
import { readFile } from 'node:fs/promises';
import { evaluationJob, readExchange } from '../../jobs/evaluation/index.ts';
import type { Handlers } from '../handler.ts';
import { contentOf } from '../trials/read-content.ts';
import { hear, moderationTrial, trialOf } from '../trials/run-trial.ts';

type Judging = Handlers<'moderations.create' | 'evaluations.create' | 'analyses.create'>;

/** What is asked to be judged. */
export const judgingHandlers: Judging = {
  async 'moderations.create'(request, house) {
    const { method, ...given } = request.body;
    const content = await contentOf(given, house.outbound, request.signal);
    const agon = await house.courts.court('moderation', method);
    return hear(request, house, moderationTrial(agon, method, content));
  },

  async 'evaluations.create'(request, house) {
    const { method, ...given } = request.body;
    const exchange = readExchange(given);
    const agon = await house.courts.court('evaluation', method);
    return hear(
      request,
      house,
      trialOf('evaluation', agon, [method, exchange], (signal, stream) =>
        agon.judge(evaluationJob, exchange, { signal, stream }),
      ),
    );
  },

  async 'analyses.create'(request, house) {
    const { method, factors, maxFactors } = request.body;
    const documents: Documents = await Promise.all(
      request.files.map(async ({ name, path }) => ({ name, bytes: await readFile(path) })),
    );
    const agon = await house.courts.court('documents', method);
    const key = [method, factors, maxFactors, request.files.map(({ name, hash }) => [name, hash])];
    return hear(
      request,
      house,
      trialOf('documents', agon, key, (signal) => agon.judge(documentsJob, documents, { signal, factors, maxFactors })),
    );
  },
};
