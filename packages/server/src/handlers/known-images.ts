import { readPages } from '@agonhq/core/async-items';
import { AgonError } from '@agonhq/engine/agon-error';
import { renderFoundImages } from '@agonhq/core/known-images';
import type { FoundImage, Ledger } from '@agonhq/ledger';
import { reviewerName } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { replyWithMedia } from '../reply.ts';

const pageSize = 200;

/** The restricted queue. */
export const knownImageHandlers: Handlers<GroupOf<'knownImages'>> = {
  'knownImages.list': ({ query: { limit, after, ...filter } }, { ledger }) =>
    ledger.knownImages.listFound(withoutAbsent(filter), { limit, after: after ?? null }),

  async 'knownImages.export'({ query: { format, ...filter } }, { ledger }) {
    const report = renderFoundImages(await collectFound(ledger, withoutAbsent(filter)), format);
    const type = format === 'json' ? 'application/json' : 'text/csv; charset=utf-8';
    return replyWithMedia(report, type, `known-images.${format}`);
  },

  async 'knownImages.settle'({ principal, params, body: { state, note = null, by } }, { ledger }) {
    const name = reviewerName(principal) ?? by ?? 'loopback';
    const found = await ledger.knownImages.settle(params.id, { state, note, by: name });
    if (found) return found;
    throw new AgonError(
      'unknown-known-image',
      `The queue has no entry ${params.id}.`,
      'GET /api/known-images lists them.',
    );
  },
};

type Filter = Parameters<Ledger['knownImages']['listFound']>[0];

function withoutAbsent({ state, list }: { state?: Filter['state'] | undefined; list?: string | undefined }): Filter {
  return { ...(state ? { state } : {}), ...(list === undefined ? {} : { list }) };
}

async function collectFound({ knownImages }: Ledger, filter: Filter): Promise<FoundImage[]> {
  const found: FoundImage[] = [];
  for await (const one of readPages((after) => knownImages.listFound(filter, { limit: pageSize, after })))
    found.push(one);
  return found;
}
