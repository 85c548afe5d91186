import { documentsJob, type Documents } from '../../jobs/documents/index.ts';
import { readFile } from 'node:fs/promises';
import { evaluationJob, readExchange } from '../../jobs/evaluation/index.ts';
import type { Handlers } from '../handler.ts';
import { readContent } from '../trials/read-content.ts';
import { hear, moderationTrial, trialOf } from '../trials/run-trial.ts';

type Judging = Handlers<'moderations.create' | 'evaluations.create' | 'analyses.create'>;

/** What is asked to be judged. */
export const judgingHandlers: Judging = {
  async 'moderations.create'(request, context) {
    const { method, ...given } = request.body;
    const content = await readContent(given, context.outbound, request.signal);
    const agon = await context.agons.agonFor('moderation', method);
    return hear(request, context, moderationTrial(agon, method, content));
  },

  async 'evaluations.create'(request, context) {
    const { method, ...given } = request.body;
    const exchange = readExchange(given);
    const agon = await context.agons.agonFor('evaluation', method);
    return hear(
      request,
      context,
      trialOf('evaluation', agon, [method, exchange], (signal, stream) =>
        agon.judge(evaluationJob, exchange, { signal, stream }),
      ),
    );
  },

  async 'analyses.create'(request, context) {
    const { method, factors, maxFactors } = request.body;
    const documents: Documents = await Promise.all(
      request.files.map(async ({ name, path }) => ({ name, bytes: await readFile(path) })),
    );
    const agon = await context.agons.agonFor('documents', method);
    const key = [method, factors, maxFactors, request.files.map(({ name, hash }) => [name, hash])];
    return hear(
      request,
      context,
      trialOf('documents', agon, key, (signal) => agon.judge(documentsJob, documents, { signal, factors, maxFactors })),
    );
  },
};
