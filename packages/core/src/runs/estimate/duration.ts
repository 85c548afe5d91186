import type { ModelTerms } from '@agonhq/models/reasoners';
import type { Duration, BudgetOutlook, RunEstimate } from './run-estimate.ts';
import type { Settings } from '../../settings/index.ts';
import type { Expected } from './mean-interval.ts';

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
export function estimateDuration({ models, debated, chainMs, itemsAtOnce, items, ownMs }: Workload): Duration {
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

type Priced = Pick<RunEstimate, 'run' | 'allRounds' | 'atMost' | 'input'>;

/** Whether a run's budget covers what is estimated; `dearestCall` is the most that one call may cost. */
export function estimateBudget(
  budget: Settings['budget'],
  { run, allRounds, atMost, input }: Priced,
  dearestCall: number,
): BudgetOutlook | null {
  const { runUsd: usd = null, runTokens: tokens = null } = budget ?? {};
  if (usd === null && tokens === null) return null;
  if (usd !== null && run.usd === null) return { usd, tokens, covers: 'unknown', items: null };
  const dearer = allRounds ?? run;
  const spent = (end: keyof Expected) => [
    { limit: usd, of: dearer.usd?.[end] ?? 0 },
    { limit: tokens, of: dearer.inputTokens[end] + dearer.outputTokens[end] },
  ];
  const fits = (of: ReturnType<typeof spent>) => of.every((own) => own.limit === null || own.of <= own.limit);
  const surely = fits([
    { limit: usd, of: atMost.usd ?? 0 },
    { limit: tokens, of: atMost.inputTokens + atMost.outputTokens },
  ]);
  // The worst case of a call is set aside before it is made, so the last of the money cannot be spent.
  const likely = fits(spent('high').map((own, index) => ({ ...own, of: own.of + (index === 0 ? dearestCall : 0) })));
  if (surely || likely) return { usd, tokens, covers: surely ? 'surely' : 'likely', items: null };
  const covered = Math.min(
    ...spent('expected').map(({ limit, of }) => (limit === null || of === 0 ? 1 : limit / of)),
    1,
  );
  return { usd, tokens, covers: 'no', items: Math.floor(covered * input.judged) };
}
