import { AgonError } from '../../errors.ts';

/** Counts a request of an owner; throws (`rate-limited`, with `retryAfter` in seconds) when it is one too many. */
export type RateLimit = (owner: string) => void;

interface Bucket {
  tokens: number;
  at: number;
}

/** As many requests a minute for each owner; what was not used in a minute may be used at once. */
export function rateLimit(perMinute: number, { now = () => performance.now(), mostOwners = 10_000 }: { now?: () => number; mostOwners?: number } = {}): RateLimit {
  const size = Math.max(1, perMinute);
  const perMs = perMinute / 60_000;
  const buckets = new Map<string, Bucket>();

  return (owner) => {
    const at = now();
    const held = buckets.get(owner);
    const tokens = held ? Math.min(size, held.tokens + Math.max(0, at - held.at) * perMs) : size;
    const isLet = tokens >= 1;
    // The owners that were quiet the longest are forgotten first: their buckets are the fullest.
    buckets.delete(owner);
    buckets.set(owner, { tokens: isLet ? tokens - 1 : tokens, at });
    if (buckets.size > mostOwners) buckets.delete(buckets.keys().next().value!);
    if (!isLet) throw tooMany(perMinute, Math.max(1, Math.ceil((1 - tokens) / perMs / 1000)));
  };
}

function tooMany(perMinute: number, retryAfter: number): AgonError {
  const error = new AgonError('rate-limited', `This key has made its ${perMinute} requests a minute.`, `Come again in ${retryAfter} s, as Retry-After says; server.ratePerMinute sets how many.`);
  return Object.assign(error, { retryAfter });
}
