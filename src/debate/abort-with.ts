/** Aborts with another signal as well, or by itself, until it is let go. */
export interface LinkedAbort {
  signal: AbortSignal;
  abort(reason?: unknown): void;
  release(): void;
}

/**
 * What AbortSignal.any is for, at a fraction of its price: a run needs several of them for every item, on a signal
 * that outlives them all.
 */
export function linkAbort(outer: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController();
  const follow = () => controller.abort(outer!.reason);
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => outer?.removeEventListener('abort', follow),
  };
}
