import { AgonError } from '@agonhq/engine/agon-error';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { IdempotencyStore } from '@agonhq/ledger';

/** How long a key is remembered. */
export const rememberedMs = 24 * 3600 * 1000;
/** A claim is renewed while its request is answered; one that was not for so long was left by a crash. */
const leaseMs = { renewed: 2_000, lapses: 10_000 };

/** What is to be done with a request that came with a key: answer it, or go where its answer is. */
export type IdempotencyClaim =
  | {
      fresh: true;
      settle(location: string | null): Promise<void>;
      /** The request failed. */
      release(): Promise<void>;
    }
  | { fresh: false; location: string | null };

/**
 * Claims an idempotency key, or says what it already stands for. Whoever joins wants the events of what is being
 * judged.
 */
export async function claimIdempotencyKey(
  store: IdempotencyStore,
  { owner, key, request }: KeyedRequest,
  joins: boolean,
): Promise<IdempotencyClaim> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new AgonError('bad-request', 'The Idempotency-Key is not 1 to 255 printable characters.', 'Send a UUID.');
  const before = await store.claimKey(owner, key, request, { staleMs: leaseMs.lapses });
  if (before === null) {
    // Where the ledger is away for a moment, the next time renews it.
    const renewing = setInterval(() => void store.renewKey(owner, key).catch(() => undefined), leaseMs.renewed);
    renewing.unref();
    return {
      fresh: true,
      settle(location) {
        clearInterval(renewing);
        return store.settleKey(owner, key, location);
      },
      release() {
        clearInterval(renewing);
        return store.releaseKey(owner, key);
      },
    };
  }
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
