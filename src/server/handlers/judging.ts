import { readFile } from 'node:fs/promises';
import type { Agon, Documents, Job } from '../../agon.ts';
import { hashOf } from '../../hash.ts';
import type { Content, ImageInput } from '../../moderation/index.ts';
import { readExchange } from '../../evaluation/index.ts';
import type { Answered } from '../answered.ts';
import type { Handlers } from '../handler.ts';
import { contentOf } from '../content-of.ts';
import { hear, type Trial } from '../hear.ts';

type Judging = Handlers<'moderations.create' | 'evaluations.create' | 'analyses.create'>;

/** What is asked to be judged. */
export const judgingHandlers: Judging = {
  async 'moderations.create'(request, house) {
    const { method, ...given } = request.body;
    const content = await contentOf(given, house.outbound, request.signal);
    const agon = await house.courts.court('moderation', method);
    return hear(request, house, trialOf('moderation', agon, [method, keyOfContent(content)], (signal, stream) => agon.moderation(content, { signal, stream })));
  },

  async 'evaluations.create'(request, house) {
    const { method, ...given } = request.body;
    const exchange = readExchange(given);
    const agon = await house.courts.court('evaluation', method);
    return hear(request, house, trialOf('evaluation', agon, [method, exchange], (signal, stream) => agon.evaluation(exchange, { signal, stream })));
  },

  async 'analyses.create'(request, house) {
    const { method, factors, maxFactors } = request.body;
    const documents: Documents = await Promise.all(request.files.map(async ({ name, path }) => ({ name, bytes: await readFile(path) })));
    const agon = await house.courts.court('documents', method);
    const key = [method, factors, maxFactors, request.files.map(({ name, hash }) => [name, hash])];
    return hear(request, house, trialOf('documents', agon, key, (signal) => agon.analysis(documents, { signal, factors, maxFactors })));
  },
};

function trialOf<Answer extends Answered>(job: Job, agon: Agon, about: readonly unknown[], hold: Trial<Answer>['hold']): Trial<Answer> {
  const { policy } = agon;
  return { job, key: hashOf([job, policy.hash, about.map((part) => part ?? null)]), hold };
}

/** What tells one content from another, without holding its bytes twice. */
function keyOfContent({ images, ...rest }: Content): unknown {
  return { ...rest, images: images?.map((image: ImageInput) => ('data' in image ? hashOf(Buffer.from(image.data).toString('base64')) : image)) ?? null };
}

