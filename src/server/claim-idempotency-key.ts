import { AgonError } from '../errors.ts';
import type { IdempotencyStore } from '../ledger/index.ts';

/** How long a key is remembered, and after which a claim that never ended is taken for one of a crash. */
export const rememberedMs = 24 * 3600 * 1000;
const staleMs = 15 * 60 * 1000;

export interface IdempotentRequest {
  owner: string;
  key: string;
  /** Hash of operation and content. */
  request: string;
  /** Whoever asks for events joins what is being judged. */
  joins: boolean;
}

/** What is to be done with a request that came with a key: answer it, or go where its answer is. */
export type IdempotencyClaim =
  | { fresh: true; settle(location: string | null): Promise<void>; release(): Promise<void> }
  | { fresh: false; location: string | null };

/** Claims an idempotency key, or says what it already stands for. */
export async function claimIdempotencyKey(
  store: IdempotencyStore,
  { owner, key, request, joins }: IdempotentRequest,
): Promise<IdempotencyClaim> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new AgonError('bad-request', 'The Idempotency-Key is not 1 to 255 printable characters.', 'Send a UUID.');
  const before = await store.claimKey(owner, key, request, { staleMs });
  if (before === null)
    return {
      fresh: true,
      settle: (location) => store.settleKey(owner, key, location),
      release: () => store.releaseKey(owner, key),
    };
  if (before.request !== request)
    throw new AgonError(
      'idempotency-mismatch',
      'This Idempotency-Key was used for another request.',
      'Use a new key for a new request.',
    );
  if (before.state === 'done' || joins) return { fresh: false, location: before.location };
  throw new AgonError(
    'idempotency-running',
    'A request with this Idempotency-Key is still being answered.',
    'Try again in a moment.',
  );
}
