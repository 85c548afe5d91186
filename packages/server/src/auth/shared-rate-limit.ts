import type { Ledger } from '@agonhq/ledger';
import { tooManyRequests, type RateLimit, type RateLimitOptions } from './rate-limit.ts';

/** What this server has of somebody's limit. */
interface Portion {
  left: number;
  /** What is not used by then is given up. */
  until: number;
  /** Nothing is to be had before. */
  emptyUntil: number;
  claiming: Promise<void> | null;
}

const keptMs = 60_000;

/**
 * As many requests a minute for each owner, of all servers on a ledger together. Each takes them in portions of a
 * second's worth: a limit of ten thousand costs a statement a second, and nothing is asked of the ledger while nothing
 * is left.
 */
export function createSharedRateLimit(
  perMinute: number,
  rates: Pick<Ledger['rates'], 'claimPortion'>,
  { now = () => performance.now(), mostOwners = 10_000, makeError = tooManyRequests, label = '' }: SharedOptions = {},
): RateLimit {
  const wanted = Math.max(1, Math.round(perMinute / 60));
  const portions = new Map<string, Portion>();

  function portionOf(owner: string): Portion {
    const portion = portions.get(owner) ?? { left: 0, until: 0, emptyUntil: 0, claiming: null };
    portions.delete(owner);
    portions.set(owner, portion);
    if (portions.size > mostOwners) portions.delete(portions.keys().next().value!);
    return portion;
  }

  async function claim(owner: string, portion: Portion): Promise<void> {
    const { granted, waitMs } = await rates.claimPortion({ owner: `${label}${owner}`, perMinute, wanted });
    portion.left = granted;
    portion.until = now() + keptMs;
    portion.emptyUntil = now() + waitMs;
  }

  return async (owner) => {
    const portion = portionOf(owner);
    for (;;) {
      if (portion.left > 0 && now() < portion.until) {
        portion.left -= 1;
        return;
      }
      const waitMs = portion.emptyUntil - now();
      if (waitMs > 0) {
        const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
        throw Object.assign(makeError(perMinute, retryAfter), { retryAfter });
      }
      portion.claiming ??= claim(owner, portion).finally(() => (portion.claiming = null));
      await portion.claiming;
    }
  };
}

interface SharedOptions extends RateLimitOptions {
  /** What is counted, where it is not requests. */
  label?: string;
}
