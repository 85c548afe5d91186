import type { AgonClientError } from './client-error.ts';

/** Longer than this nobody waits for another attempt: the caller is told instead. */
const longestMs = 60_000;
const firstMs = 250;

/** How long to wait before the next attempt; null when there is none to be made. */
export function pauseBeforeRetry(attempt: number, retryAfter: string | null): number | null {
  if (retryAfter !== null) {
    const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
    if (!Number.isNaN(ms)) return ms <= longestMs ? Math.max(0, ms) + Math.random() * firstMs : null;
  }
  return Math.min(8_000, firstMs * 2 ** attempt) * (0.5 + Math.random());
}

/** What passes by itself: too much at once, a server that restarts, a model or a gateway that is away for a moment. */
export function passes({ status, code }: AgonClientError, repeatable: boolean): boolean {
  if (status === 429) return true;
  if (!repeatable) return false;
  if (status === null) return code === 'unreachable-server';
  if (code === 'idempotency-running') return true;
  return (
    ((status === 502 || status === 503 || status === 504) && code === 'unexpected-answer') ||
    ['draining', 'models-away', 'ledger-failed', 'ledger-unreachable', 'locked-ledger'].includes(code)
  );
}

export async function waitBeforeRetry(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
