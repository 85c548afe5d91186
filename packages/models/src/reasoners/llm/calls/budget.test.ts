import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hang, json, malformedJson, status, type FakeReply } from '@agonhq/test/fake-provider/index.ts';
import { debater, good, inTurn, question, setStage } from '@agonhq/test/fake-provider/stage.ts';
import { createAccount, reserveCost } from './budget.ts';

describe('a reservation', () => {
  it('never lets calls that run together spend more than the budget', () => {
    const calls = fc.array(
      fc.record({ worst: fc.nat(100), used: fc.double({ min: 0, max: 1, noNaN: true }), finishesFirst: fc.boolean() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(calls, fc.nat(500), fc.nat(500), (made, itemTokens, runTokens) => {
        const item = createAccount({ tokens: itemTokens });
        const run = createAccount({ tokens: runTokens, usd: runTokens / 1000 });
        const open: (() => void)[] = [];
        let spent = 0;
        for (const { worst, used, finishesFirst } of made) {
          const reservation = reserveCost([item, run], { tokens: worst, usd: worst / 1000 });
          if (!reservation) continue;
          const actual = Math.floor(worst * used);
          open.push(() => {
            reservation.settle({ tokens: actual, usd: actual / 1000 });
            spent += actual;
          });
          if (finishesFirst) open.splice(Math.floor(used * open.length), 1)[0]?.();
          expect(spent).toBeLessThanOrEqual(Math.min(itemTokens, runTokens));
        }
        for (const settle of open) settle();
        expect(spent).toBeLessThanOrEqual(Math.min(itemTokens, runTokens));
      }),
    );
  });

  it('is made in all accounts or in none', () => {
    const rich = createAccount({ tokens: 100 });
    const poor = createAccount({ tokens: 10 });
    expect(reserveCost([rich, poor], { tokens: 50, usd: null })).toBeNull();
    expect(reserveCost([rich], { tokens: 100, usd: null })).not.toBeNull();
  });

  it('can use the budget to the last token, and what was not used is free again', () => {
    const account = createAccount({ tokens: 100, usd: 0.3 });
    reserveCost([account], { tokens: 100, usd: 0.3 })!.settle({ tokens: 40, usd: 0.1 });
    expect(reserveCost([account], { tokens: 61, usd: 0 })).toBeNull();
    expect(reserveCost([account], { tokens: 60, usd: 0.1 + 0.1 })).not.toBeNull();
  });

  it('never covers an unknown price with money', () => {
    expect(reserveCost([createAccount({ usd: 1e9 })], { tokens: 1, usd: null })).toBeNull();
  });
});

describe('a budget', () => {
  it('is never overspent by any mix of concurrent calls, whatever becomes of them', async () => {
    const replies = fc.array(
      fc.constantFrom<FakeReply>(
        json(good),
        json(good, { latencyMs: 3 }),
        malformedJson(),
        status(500),
        hang(),
        json({ score: 'x' }),
      ),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(
        replies,
        fc.integer({ min: 500, max: 20_000 }),
        fc.boolean(),
        async (script, runTokens, streamed) => {
          await using stage = await setStage(({ index }) => script[index % script.length]!, {
            budget: { runTokens, itemTokens: 15_000 },
            defaults: { retries: 1, timeoutMs: 30 },
          });
          await Promise.all(Array.from({ length: 12 }, () => stage.ask({ onDelta: streamed ? () => {} : undefined })));
          const { inputTokens, outputTokens } = stage.pool.spent();
          expect(inputTokens + outputTokens).toBeLessThanOrEqual(Math.min(15_000, runTokens));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('that does not cover the worst case of a call stops it before it is made', async () => {
    await using stage = await setStage(() => json(good), { budget: { itemUsd: 0.000_001 } });
    expect(await stage.ask()).toMatchObject({ outcome: 'failed', reason: 'budget', usage: { calls: 0, costUsd: 0 } });
    expect(stage.provider.requests).toEqual([]);
  });

  it('counts an image at its worst', async () => {
    await using stage = await setStage(() => json(good), { budget: { itemTokens: 20_000 } });
    const image = { id: 'a', mediaType: 'image/png', hash: 'sha256:1', data: new Uint8Array([137, 80, 78, 71]) };
    expect(await stage.ask()).toMatchObject({ outcome: 'answered' });
    const role = debater({ words: { attachments: [image] } });
    expect(await stage.ask({ role })).toMatchObject({ outcome: 'failed', reason: 'budget' });
  });

  it('stops a repair, a retry and a fallback as well', async () => {
    // Enough for one call at its worst, not for a second one after the first was billed in full.
    const usage = { inputTokens: 800, outputTokens: 200 };
    const budget = { itemTokens: 1500 };
    for (const first of [json({ score: 7 }, { usage }), hang()]) {
      await using stage = await setStage(inTurn(first, json(good)), { budget, defaults: { timeoutMs: 50 } });
      expect(await stage.ask()).toMatchObject({ outcome: 'failed', reason: 'budget', usage: { calls: 1 } });
    }
  });

  it('of an item is its own, that of a run is shared', async () => {
    const usage = { inputTokens: 900, outputTokens: 100 };
    await using stage = await setStage(() => json(good, { usage }), { budget: { itemTokens: 1500, runTokens: 3200 } });
    const ask = () =>
      stage.pool
        .forItem()('openai:gpt-4o-mini')
        .answer(debater(), question(), { signal: new AbortController().signal });
    expect((await stage.ask()).outcome).toBe('answered');
    expect(await stage.ask()).toMatchObject({ reason: 'budget' });
    expect((await ask()).outcome).toBe('answered');
    expect((await ask()).outcome).toBe('answered');
    expect(await ask()).toMatchObject({ reason: 'budget' });
  });
});
