import type { ConcurrencyLimit } from '../concurrency-limit.ts';

export interface EachOptions {
  places: Pick<ConcurrencyLimit, 'held' | 'waiting'>;
  concurrency: number;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

/**
 * Judges one after the other, and so many at once as there are places free: a long list waits in the queue as one, and
 * never turns itself away. What fails for one fails for all, and stops the others.
 */
export function judgeEach<Item, Result>(
  items: readonly Item[],
  judge: (item: Item, signal: AbortSignal) => Promise<Result>,
  { places, concurrency, signal }: EachOptions,
): Promise<Result[]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const results: Result[] = Array.from({ length: items.length });
  let next = 0;
  let ended = 0;

  return new Promise((resolve, reject) => {
    function begin(): void {
      if (next >= items.length || either.aborted) return;
      const index = next;
      next += 1;
      judge(items[index]!, either).then(
        (result) => {
          results[index] = result;
          ended += 1;
          if (ended === items.length) resolve(results);
          else begin();
        },
        (error: Error) => {
          stop.abort(error);
          reject(error);
        },
      );
      if (places.held < concurrency && places.waiting === 0) begin();
    }
    begin();
    if (signal.aborted) reject(signal.reason as Error);
  });
}
