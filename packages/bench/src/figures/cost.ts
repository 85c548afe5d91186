import { addUsage, noUsage, type Usage } from '@agonhq/engine/debate';
import type { BenchItemResult, SystemResult } from '../result.ts';
import type { CostFigures } from './set-figures.ts';
import { meanOf, quantile } from '@agonhq/engine/statistics';

/**
 * What a system's judgements cost, all repeats together. A share is one of all calls and of all tokens of the system.
 */
export function sumCosts(system: SystemResult): CostFigures {
  const outcomes = system.repeats.flat();
  const usages = outcomes.flatMap(({ usage }) => usage ?? []);
  const whole = usages.reduce(addUsage, noUsage);
  const latencies = outcomes.flatMap(({ latencyMs }) => latencyMs ?? []);
  const perItem = (amount: number) => (usages.length === 0 ? null : amount / usages.length);
  return {
    judged: usages.length,
    calls: whole.calls,
    inputTokens: whole.inputTokens,
    cachedTokens: whole.cachedTokens,
    outputTokens: whole.outputTokens,
    costUsd: whole.costUsd,
    perItem: {
      calls: perItem(whole.calls),
      tokens: perItem(tokensOf(whole)),
      costUsd: whole.costUsd === null ? null : perItem(whole.costUsd),
    },
    latencyMs: {
      mean: meanOf(latencies),
      p50: quantile(latencies, 0.5),
      p95: quantile(latencies, 0.95),
      p99: quantile(latencies, 0.99),
    },
    byModel: modelsOf(system, outcomes).map(([model, usage]) => ({
      model,
      calls: usage.calls,
      callShare: whole.calls === 0 ? 0 : usage.calls / whole.calls,
      tokens: tokensOf(usage),
      tokenShare: tokensOf(whole) === 0 ? null : tokensOf(usage) / tokensOf(whole),
      costUsd: usage.costUsd,
      usage,
    })),
    itemsPerSecond: system.itemsPerSecond,
  };
}

export function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

/** The model that was called most first. A system of one model need not say whose calls they were. */
function modelsOf({ models }: SystemResult, outcomes: readonly BenchItemResult[]): [string, Usage][] {
  const spent = new Map<string, Usage>();
  for (const { byModel, usage } of outcomes) {
    const parts = Object.entries(byModel);
    const known: [string, Usage][] = parts.length > 0 || !usage || models.length !== 1 ? parts : [[models[0]!, usage]];
    for (const [model, part] of known) spent.set(model, addUsage(spent.get(model) ?? noUsage, part));
  }
  return [...spent].toSorted(([a, first], [b, second]) => second.calls - first.calls || (a < b ? -1 : 1));
}
