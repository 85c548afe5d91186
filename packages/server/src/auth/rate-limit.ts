import { AgonError } from '@agonhq/engine/agon-error';

/** Counts a request of an owner; throws (`rate-limited`, with `retryAfter` in seconds) when it is one too many. */
export type RateLimit = (owner: string) => void | Promise<void>;

interface Bucket {
  tokens: number;
  at: number;
}

export interface RateLimitOptions {
  now?: () => number;
  mostOwners?: number;
  /** What somebody is told who made one too many. */
  makeError?: (perMinute: number, retryAfter: number) => AgonError;
}

/** As many requests a minute for each owner; what was not used in a minute may be used at once. */
export function createRateLimit(
  perMinute: number,
  { now = () => performance.now(), mostOwners = 10_000, makeError: told = tooManyRequests }: RateLimitOptions = {},
): (owner: string) => void {
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
    if (isLet) return;
    const retryAfter = Math.max(1, Math.ceil((1 - tokens) / perMs / 1000));
    throw Object.assign(told(perMinute, retryAfter), { retryAfter });
  };
}

export function tooManyRequests(perMinute: number, retryAfter: number): AgonError {
  return new AgonError(
    'rate-limited',
    `This key has reached its limit of ${perMinute} requests per minute.`,
    `Try again in ${retryAfter} s, as Retry-After says; server.ratePerMinute sets the limit.`,
  );
}
