const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** How long it is waited after an attempt that failed; after the last one there is none. */
export const pausesMs: readonly number[] = [
  5 * seconds,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  1 * hours,
  6 * hours,
  24 * hours,
];

const longestMs = 24 * hours;

/**
 * When a delivery is tried again after so many attempts; null when it failed for good. A receiver may ask for more
 * patience than ours, up to a day.
 */
export function nextAttempt(
  attempts: number,
  {
    retryAfter,
    pauses = pausesMs,
    now = Date.now(),
    random = Math.random,
  }: { retryAfter: string | null; pauses?: readonly number[]; now?: number; random?: () => number },
): Date | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  // Not all at once when a receiver comes back: up to a fifth sooner or later.
  const jittered = pause * (0.8 + 0.4 * random());
  return new Date(now + Math.max(jittered, Math.min(askedMs(retryAfter, now), longestMs)));
}

/** `Retry-After` in seconds or as a date; 0 when it is neither. */
function askedMs(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  if (/^\s*\d{1,9}\s*$/.test(retryAfter)) return Number(retryAfter) * seconds;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}
