import {
  bundleCase,
  bundleRun,
  nameBundle,
  listPublicKeys,
  openSigningKey,
  type AnsweredCase,
} from '@agonhq/ledger/bundle';
import { requireJudgedCase } from '@agonhq/core/retrials';
import { sharedSecret } from '@agonhq/core/settings';
import type { Handlers } from '../handler.ts';
import { replyWithArchive, replyWithMedia } from '../reply.ts';
import { findRunById } from '../runs/read-run.ts';
import type { ServerContext } from '../server-context.ts';
import { findOnRecord } from './cases.ts';

/** Evidence that others can check without this server. */
export const bundleHandlers: Handlers<'cases.bundle' | 'cases.opening' | 'runs.bundle' | 'house.signingKeys'> = {
  async 'cases.bundle'({ params, query }, context) {
    const record = await findJudged(params.id, context);
    const { id, bytes } = await bundleCase(context.ledger, record, await readOptions(query.redact, context));
    return replyWithMedia(bytes, 'application/zip', nameBundle(id));
  },

  async 'cases.opening'({ params }, context) {
    const record = await findJudged(params.id, context);
    const { opening } = await bundleCase(context.ledger, record, await readOptions(true, context));
    return replyWithMedia(`${JSON.stringify(opening)}\n`, 'application/json', `${record.id}.opening.json`);
  },

  async 'runs.bundle'({ params, query, signal }, context) {
    const run = await findRunById(params.id, context.ledger);
    const pieces = bundleRun(context.ledger, run, { ...(await readOptions(query.redact, context)), signal });
    return replyWithArchive(pieces, `${run.id}.agon.zip`);
  },

  async 'house.signingKeys'(_, { environment }) {
    const keys = await listPublicKeys(environment);
    return replyWithMedia(keys.map(({ pem }) => pem).join(''), 'application/x-pem-file', 'issuer.pem');
  },
};

async function findJudged(id: string, { ledger }: ServerContext): Promise<AnsweredCase> {
  return requireJudgedCase(ledger, (await findOnRecord(ledger, id)).id);
}

async function readOptions(redact: boolean | undefined, { ledger, environment }: ServerContext) {
  const key = await openSigningKey(environment);
  return redact ? { key, redactWith: await sharedSecret(ledger, environment) } : { key };
}
