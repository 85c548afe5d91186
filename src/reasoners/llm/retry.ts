/** Milliseconds that a provider asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. */
export function retryAfterMs(headers: Record<string, string> | undefined, now: number): number | undefined {
  const exact = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (exact >= 0) return exact;
  const value = headers?.['retry-after']?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Exponential back-off with full jitter in its upper half: many callers that failed together do not return together.
 */
export function backoffMs(
  attempt: number,
  firstMs: number,
  longestMs: number,
  random: () => number = Math.random,
): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** attempt);
  return ceiling / 2 + (random() * ceiling) / 2;
}

/** Waits; an abort ends it at once with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });
}
