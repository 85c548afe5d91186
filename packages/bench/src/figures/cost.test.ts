import { expect, test } from 'vitest';
import type { Usage } from '@agonhq/engine/debate';
import type { BenchItemResult, SystemResult } from '../result.ts';
import { sumCosts } from './cost.ts';

const spent = (calls: number, inputTokens: number, outputTokens: number, costUsd: number | null = 0): Usage => ({
  calls,
  inputTokens,
  outputTokens,
  cachedTokens: Math.floor(inputTokens / 2),
  costUsd,
});

function outcome(
  parts: Record<string, Usage> | null,
  { usage, latencyMs = 10 }: { usage?: Usage; latencyMs?: number } = {},
): BenchItemResult {
  const whole =
    usage ??
    Object.values(parts ?? {}).reduce(
      (a, b) => ({
        calls: a.calls + b.calls,
        inputTokens: a.inputTokens + b.inputTokens,
        outputTokens: a.outputTokens + b.outputTokens,
        cachedTokens: a.cachedTokens + b.cachedTokens,
        costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
      }),
      spent(0, 0, 0),
    );
  const failed = parts === null;
  return {
    said: failed ? 'failed' : 'safe',
    score: null,
    opening: null,
    usage: failed ? null : whole,
    byModel: parts ?? {},
    latencyMs: failed ? null : latencyMs,
    rule: null,
    problem: failed ? 'no answer' : null,
    turns: [],
  };
}

const system = (models: string[], ...repeats: BenchItemResult[][]): SystemResult => ({
  name: 'debate',
  configuration: 'sha256:1',
  kind: 'debate',
  models,
  of: null,
  rounds: 2,
  trained: null,
  repeats,
  itemsPerSecond: 4,
});

test("the shares of the paper's section 4.2.5: five calls of six by the small model, the sixth by the large one", () => {
  const one = { 'openai:gpt-4o': spent(1, 2_000, 400, 0.009), 'openai:gpt-4o-mini': spent(5, 8_000, 1_310, 0.002) };
  const { calls, perItem, byModel, costUsd, cachedTokens } = sumCosts(
    system(['openai:gpt-4o', 'openai:gpt-4o-mini'], Array(50).fill(outcome(one))),
  );
  expect(calls).toBe(300);
  expect(perItem).toMatchObject({ calls: 6, tokens: 11_710 });
  expect(byModel.map(({ model, calls: of }) => [model, of])).toEqual([
    ['openai:gpt-4o-mini', 250],
    ['openai:gpt-4o', 50],
  ]);
  expect(byModel.map(({ callShare }) => callShare.toFixed(3))).toEqual(['0.833', '0.167']);
  expect(byModel[0]!.tokenShare).toBeCloseTo(9_310 / 11_710, 12);
  expect(costUsd).toBeCloseTo(0.55, 9);
  expect(cachedTokens).toBe(50 * 5_000);
});

test('what failed has no cost and no latency, and repeats are counted together', () => {
  const figures = sumCosts(
    system(
      ['openai:gpt-4o'],
      [outcome({ 'openai:gpt-4o': spent(2, 10, 10, 1) }, { latencyMs: 1 }), outcome(null)],
      [outcome({ 'openai:gpt-4o': spent(4, 30, 10, 2) }, { latencyMs: 3 }), outcome(null)],
    ),
  );
  expect(figures).toMatchObject({
    judged: 2,
    calls: 6,
    inputTokens: 40,
    outputTokens: 20,
    costUsd: 3,
    perItem: { calls: 3, tokens: 30, costUsd: 1.5 },
    latencyMs: { mean: 2, p50: 1, p95: 3, p99: 3 },
  });
});

test('a price that is not known leaves the cost unknown, not small', () => {
  const { costUsd, perItem, byModel } = sumCosts(
    system(['a:x', 'b:y'], [outcome({ 'a:x': spent(1, 10, 10, 0.5), 'b:y': spent(1, 10, 10, null) })]),
  );
  expect([costUsd, perItem.costUsd, byModel.map((model) => model.costUsd)]).toEqual([null, null, [0.5, null]]);
});

test("the calls of a system of one model are its own; those of several that nobody told apart are nobody's", () => {
  const untold = outcome({}, { usage: spent(1, 0, 0) });
  expect(sumCosts(system(['embedded:guard-2'], [untold])).byModel).toMatchObject([
    { model: 'embedded:guard-2', calls: 1, callShare: 1, tokenShare: null },
  ]);
  expect(sumCosts(system(['a:x', 'b:y'], [untold])).byModel).toEqual([]);
});

test('nothing judged: no figure by item', () => {
  expect(sumCosts(system(['a:x'], [outcome(null)]))).toMatchObject({
    judged: 0,
    calls: 0,
    costUsd: 0,
    perItem: { calls: null, tokens: null, costUsd: null },
    latencyMs: { mean: null, p50: null, p95: null, p99: null },
    byModel: [],
  });
});
