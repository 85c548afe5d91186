import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchJudgement, Ledger } from '@agonhq/ledger';
import { collect } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';

/**
 * What every ledger does with benches, their judgements and what else belongs to them. One ledger serves all these
 * tests.
 */
export function benchContract({ make }: LedgerMaker): void {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await make();
  });
  afterAll(() => ledger.close());

  const bench = {
    id: 'b3a1f0',
    name: 'nightly',
    plan: { data: [{ file: 'items.jsonl', hash: 'sha256:1' }], seeds: [1, 2], repeats: 3 },
  };
  const judgementsOf = (id: string) => collect(ledger.benches.readJudgements(id));
  const judgedAt = (index: number): BenchJudgement => ({
    key: `tribunal/${index}`,
    result: { label: 'safe', score: index / 8 },
  });

  test('a bench starts, ends and starts again with what it has judged', async () => {
    const { benches } = ledger;
    const started = await benches.startBench(bench);
    expect(started).toEqual({
      ...bench,
      state: 'running',
      startedAt: expect.any(Date) as Date,
      endedAt: null,
      judged: 0,
    });
    await benches.keepJudgements(bench.id, [judgedAt(1), judgedAt(2)]);
    await benches.endBench(bench.id, 'stopped');
    expect(await benches.findBench(bench.id)).toEqual({
      ...started,
      state: 'stopped',
      endedAt: expect.any(Date) as Date,
      judged: 2,
    });
    expect(await benches.startBench({ ...bench, name: 'another name', plan: null })).toEqual({ ...started, judged: 2 });
    expect(await judgementsOf(bench.id)).toEqual([judgedAt(1), judgedAt(2)]);
  });

  test('finds some of its judgements by their keys', async () => {
    await ledger.benches.startBench({ ...bench, id: 'some-keys' });
    await ledger.benches.keepJudgements('some-keys', [judgedAt(1), judgedAt(2)]);
    const kept = await ledger.benches.findJudgements('some-keys', ['tribunal/2', 'tribunal/9', "'; --"]);
    expect([...kept]).toEqual([['tribunal/2', judgedAt(2).result]]);
  });

  test('is found by the beginning of its id, from four characters on, unless another begins so', async () => {
    const { benches } = ledger;
    for (const id of ['abcd', 'abcd11', 'abcd12', 'ab%_99']) await benches.startBench({ ...bench, id });
    const found = async (id: string) => (await benches.findBench(id))?.id;
    expect(await found('abcd')).toBe('abcd');
    expect(await found('abcd11')).toBe('abcd11');
    expect(await found('ab%_')).toBe('ab%_99');
    expect(await found('ab%')).toBeUndefined();
    expect(await found('ab__')).toBeUndefined();
    expect(await found('abcd\0')).toBeUndefined();
    await expect(benches.findBench('abcd1')).rejects.toMatchObject({
      code: 'ambiguous-bench',
      message: 'Several benches begin with abcd1: abcd11, abcd12.',
    });
  });

  test('is listed before those that started earlier, page by page', async () => {
    const { benches } = ledger;
    for (const id of ['first', 'second', 'third']) {
      await benches.startBench({ ...bench, id });
      await pause(2);
    }
    await benches.startBench({ ...bench, id: 'first' });
    await benches.keepJudgements('second', [judgedAt(1)]);
    const listed = async (options?: Parameters<Ledger['benches']['listBenches']>[0]) =>
      (await benches.listBenches(options)).slice(0, 3).map(({ id, judged }) => [id, judged]);
    expect(await listed()).toEqual([
      ['third', 0],
      ['second', 1],
      ['first', 0],
    ]);
    expect(await listed({ limit: 2 })).toEqual([
      ['third', 0],
      ['second', 1],
    ]);
    expect(await listed({ limit: 1, before: 'second' })).toEqual([['first', 0]]);
    await expect(benches.listBenches({ before: 'nobody' })).rejects.toMatchObject({ code: 'unknown-bench' });
  });

  test('keeps judgements in any batches as it keeps them one by one: the first under a key stands, as it was', async () => {
    const { benches } = ledger;
    const oddKeys = ['a', 'A', '', '"b"', '\0', '\ud800', '\ufffd', '\\u0000'];
    const key = fc.oneof(fc.constantFrom(...oddKeys), fc.string({ unit: 'binary', maxLength: 4 }));
    const batches = fc.array(
      fc.array(fc.record({ key, result: fc.jsonValue({ stringUnit: 'binary', maxDepth: 1 }) }), { maxLength: 6 }),
      { maxLength: 4 },
    );
    let made = 0;
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const id = `bench-${(made += 1)}`;
        await benches.startBench({ ...bench, id });
        for (const batch of given) await benches.keepJudgements(id, batch);
        const first = new Map<string, unknown>();
        for (const { key: name, result } of given.flat()) if (!first.has(name)) first.set(name, result);
        const kept = await judgementsOf(id);
        expect(new Map(kept.map(({ key: name, result }) => [name, JSON.stringify(result)]))).toEqual(
          new Map([...first].map(([name, result]) => [name, JSON.stringify(result)])),
        );
        expect((await benches.findBench(id))!.judged).toBe(first.size);
      }),
      {
        numRuns: 8,
        examples: [
          [
            [
              oddKeys.map((each) => ({ key: each, result: `of ${each}` })),
              oddKeys.map((each) => ({ key: each, result: 'another' })),
            ],
          ],
        ],
      },
    );
  }, 30_000);

  test('keeps more judgements than a page at once, and gives back each of them once', async () => {
    const { benches } = ledger;
    await benches.startBench({ ...bench, id: 'many' });
    const many = Array.from({ length: 333 }, (_, index) => judgedAt(index));
    // Both hold the same keys, in opposite orders.
    await Promise.all([benches.keepJudgements('many', many), benches.keepJudgements('many', many.toReversed())]);
    const kept = await judgementsOf('many');
    expect(kept).toHaveLength(333);
    expect(new Map(kept.map(({ key, result }) => [key, result]))).toEqual(
      new Map(many.map(({ key, result }) => [key, result])),
    );
  });

  test('keeps what is attached under a name, and the last value of it', async () => {
    const { benches } = ledger;
    await benches.startBench({ ...bench, id: 'attached' });
    await benches.keepAttached('attached', 'sheet-0', { outcomes: ['é \0'] });
    await benches.keepAttached('attached', 'sheet-1', null);
    await benches.keepAttached('attached', 'sheet-0', { outcomes: [1, 2] });
    expect(await benches.findAttached('attached', 'sheet-0')).toEqual({ outcomes: [1, 2] });
    expect(await benches.findAttached('attached', 'sheet-1')).toBeNull();
    expect(await benches.findAttached('attached', 'sheet-2')).toBeUndefined();
  });

  test('goes with everything in it, and nothing is kept for one that is not there', async () => {
    const { benches } = ledger;
    for (const id of ['gone', 'other']) {
      await benches.startBench({ ...bench, id });
      await benches.keepJudgements(id, [judgedAt(1)]);
      await benches.keepAttached(id, 'sheet-0', 1);
    }
    await benches.removeBench('gone');
    expect(await benches.findBench('gone')).toBeUndefined();
    expect(await judgementsOf('gone')).toEqual([]);
    expect(await benches.findAttached('gone', 'sheet-0')).toBeUndefined();
    for (const late of [
      () => benches.keepJudgements('gone', [judgedAt(2)]),
      () => benches.keepAttached('gone', 'sheet-0', 2),
      () => benches.endBench('gone', 'done'),
    ]) {
      await expect(late()).rejects.toMatchObject({ code: 'unknown-bench' });
    }
    expect(await judgementsOf('other')).toEqual([judgedAt(1)]);
    expect(await benches.startBench({ ...bench, id: 'gone' })).toMatchObject({ judged: 0 });
  });

  test('is pruned with cases unless somebody went on with it', async () => {
    const { benches } = ledger;
    for (const id of ['idle', 'in-use']) await benches.startBench({ ...bench, id });
    await pause(2);
    const before = new Date();
    await benches.keepJudgements('in-use', [judgedAt(1)]);
    for (const what of ['contents', 'cache', 'unfinished'] as const)
      expect(await ledger.prune({ before, what })).toMatchObject({ benches: 0 });
    expect((await ledger.prune({ before, what: 'cases' })).benches).toBeGreaterThan(0);
    expect(await benches.findBench('idle')).toBeUndefined();
    expect(await benches.findBench('in-use')).toMatchObject({ judged: 1 });
  });
}
