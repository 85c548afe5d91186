import { describe, expect, test } from 'vitest';
import { computeGuardTime, planCapacity, type PlanInput } from './capacity-plan.ts';
import { caseBytes, constants } from './constants.ts';

const input: PlanInput = {
  itemsPerDay: 86_400_000,
  debated: 0.05,
  callsPerDebate: 6,
  tokensIn: 6_000,
  tokensOut: 1_000,
  price: { input: 1, output: 5 },
  model: null,
  latencyMs: 2_000,
  concurrency: 50,
  peak: 2,
  retentionDays: 10,
  textBytes: 500,
  tokensPerMinute: 100e6,
  requestsPerMinute: 36_000,
  precedents: 1_000,
};

describe('86.4 million items a day, a twentieth of them debated, by hand', () => {
  const plan = planCapacity(input);

  test('are 1,000 items, 50 debates, 300 calls a second, and twice that at the peak', () => {
    expect(plan.items).toEqual({ mean: 1_000, peak: 2_000 });
    expect(plan.debates).toEqual({ mean: 50, peak: 100 });
    expect(plan.calls).toEqual({ mean: 300, peak: 600 });
  });

  test('are 21 million tokens a minute, and 47,520 dollars a day', () => {
    // 50 debates × 7,000 tokens × 60 seconds.
    expect(plan.tokens.mean).toBeCloseTo(21e6, 3);
    // 4.32 million debates at (6,000 × $1 + 1,000 × $5) / 1M = $0.011.
    expect(plan.cost!.perDay).toBeCloseTo(47_520, 6);
    expect(plan.cost!.perThousandItems).toBeCloseTo(0.55, 9);
  });

  test('keep 800 debates of eight seconds in flight: sixteen workers of fifty', () => {
    expect(plan.debaters).toMatchObject({ secondsPerDebate: 8, atOnce: 800, workers: 16 });
    expect(plan.debaters.cores).toBeCloseTo(600 * 0.00173 + 100 * 0.005, 9);
  });

  test('take the cores that the guard needs: most glance at short texts, the rest read long ones', () => {
    const { guardCoreMs, guardCoreMsPerByte, glanceCoreMs, glanceCoreMsPerByte } = constants;
    // 0.7 × 120 + 0.3 × 1,386.67 = 500 bytes.
    const short = glanceCoreMs.value + glanceCoreMsPerByte.value * 120;
    const long = guardCoreMs.value + guardCoreMsPerByte.value * (416 / 0.3);
    expect(plan.guard.coreMsPerItem).toBeCloseTo(0.7 * short + 0.3 * long, 9);
    expect(plan.guard.cores).toBeCloseTo(2 * plan.guard.coreMsPerItem, 6);
    expect(computeGuardTime(100)).toBeCloseTo(glanceCoreMs.value + glanceCoreMsPerByte.value * 100, 9);
    // A process for every two cores, and four connections for each process.
    expect(plan.connections).toBe((Math.ceil(plan.guard.coreMsPerItem) + 16) * 4);
  });

  test('go through queue and ledger together, and debates write their entries', () => {
    expect(plan.debateWrites.mean).toBeCloseTo(50 * constants.writesPerDebate.value, 6);
    const through = plan.bottlenecks.find(({ what }) => what === 'items through queue and ledger')!;
    expect([through.need, through.capacity]).toEqual([2_000, constants.itemsPerSecond.value]);
    expect(plan.backlogBytes).toBe(3.6e6 * constants.waitingBytes.value);
  });

  test('grow by the bytes of their tables, and stop growing when the retention is reached', () => {
    const of = (kind: 'guard' | 'debate') =>
      Object.values(caseBytes[kind]).reduce((sum, { fixed, perByte }) => sum + fixed + perByte * 500, 0);
    const perDay = 86.4e6 * (constants.itemBytes.value + 0.95 * of('guard') + 0.05 * of('debate'));
    expect(plan.storage.perDay / perDay).toBeCloseTo(1, 9);
    expect(plan.storage.atRetention).toBeCloseTo(plan.storage.perDay * 10, 0);
    expect(plan.storage.byTable.reduce((sum, own) => sum + own.perDay, 0)).toBeCloseTo(plan.storage.perDay, 0);
  });

  test('meet the limit of requests exactly, and that of tokens at 2.38 times as many', () => {
    const fullAt = (what: string) => plan.bottlenecks.find((own) => own.what === what)!.fullAt;
    expect(fullAt('requests to the provider')).toBe(1);
    expect(fullAt('tokens of the provider')).toBeCloseTo(100 / 42, 6);
  });
});

test('the first bottleneck is the one that is full soonest, and each is reached at one scale', () => {
  const { bottlenecks, scales } = planCapacity(input);
  expect(bottlenecks.map(({ fullAt }) => fullAt)).toEqual(
    bottlenecks.map(({ fullAt }) => fullAt).toSorted((a, b) => a - b),
  );
  const reached = scales.flatMap((scale) => scale.reached.map(({ what }) => what));
  expect(new Set(reached).size).toBe(reached.length);
  expect(reached).toEqual(bottlenecks.filter(({ fullAt }) => fullAt < 1_000).map(({ what }) => what));
});

test('ten times the items need ten times of everything, and give way a tenth as late', () => {
  const one = planCapacity(input);
  const ten = planCapacity({ ...input, itemsPerDay: input.itemsPerDay * 10 });
  expect(ten.cost!.perDay).toBeCloseTo(one.cost!.perDay * 10, 3);
  expect(ten.cost!.perThousandItems).toBeCloseTo(one.cost!.perThousandItems, 9);
  expect(ten.storage.atRetention / one.storage.atRetention).toBeCloseTo(10, 9);
  const first = (plan: typeof one) => plan.bottlenecks.find(({ what }) => what === 'tokens of the provider')!.fullAt;
  expect(first(ten)).toBeCloseTo(first(one) / 10, 9);
});

test('without debates there are no calls, no cost, and no end to what the provider could take', () => {
  const { calls, cost, bottlenecks, debaters } = planCapacity({ ...input, debated: 0 });
  expect(calls.peak).toBe(0);
  expect(cost).toEqual({ perDay: 0, perThousandItems: 0 });
  expect(debaters.workers).toBe(0);
  expect(bottlenecks.find(({ what }) => what === 'tokens of the provider')!.fullAt).toBe(Number.POSITIVE_INFINITY);
});

test('an unknown price is no price', () => {
  expect(planCapacity({ ...input, price: null }).cost).toBeNull();
});

test('everything that was measured names the command that measures it', () => {
  for (const { value, measuredBy } of Object.values(constants)) {
    expect(value).toBeGreaterThan(0);
    if (measuredBy !== null) expect(measuredBy).toMatch(/^(npm run bench:|src\/)/);
  }
});
