import type { ModelTerms } from '../../reasoners/index.ts';
import type { Duration } from './run-estimate.ts';

/* Latency where no past turns tell it: time to the first token, then tokens a second. */
export const firstTokenMs = 500;
export const tokensPerSecond = 60;

export interface Workload {
  models: readonly { model: string; terms: ModelTerms; calls: number; tokens: number; latencyMs: number }[];
  /** Items that are debated, and how long the chain of calls of one takes. */
  debated: number;
  chainMs: number;
  itemsAtOnce: number;
  /** Items that go through this machine's own models, and what one of them takes. */
  items: number;
  ownMs: number;
}

/**
 * The slowest of what a run has to wait for: each model's limits, the items that are judged at once, and this
 * machine.
 */
export function durationOf({ models, debated, chainMs, itemsAtOnce, items, ownMs }: Workload): Duration {
  const bounds = models.flatMap(({ model, terms: { limits }, calls, tokens, latencyMs }) => [
    { what: `${model}: ${limits.concurrency} at once`, seconds: (calls * latencyMs) / 1_000 / limits.concurrency },
    ...(limits.requestsPerMinute
      ? [
          {
            what: `${model}: ${limits.requestsPerMinute} requests a minute`,
            seconds: (calls / limits.requestsPerMinute) * 60,
          },
        ]
      : []),
    ...(limits.tokensPerMinute
      ? [
          {
            what: `${model}: ${limits.tokensPerMinute} tokens a minute`,
            seconds: (tokens / limits.tokensPerMinute) * 60,
          },
        ]
      : []),
  ]);
  if (chainMs > 0)
    bounds.push({ what: `${itemsAtOnce} items at once`, seconds: (debated * chainMs) / 1_000 / itemsAtOnce });
  if (ownMs > 0) bounds.push({ what: 'the embedded models on this machine', seconds: (items * ownMs) / 1_000 });
  const [slowest = { what: 'nothing to do', seconds: 0 }] = bounds.toSorted((a, b) => b.seconds - a.seconds);
  return { seconds: slowest.seconds, bound: slowest.what, bounds };
}
