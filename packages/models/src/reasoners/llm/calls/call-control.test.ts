import { describe, expect, it } from 'vitest';
import { json, startFakeProvider, status, type FakeScript } from '@agonhq/test/fake-provider/index.ts';
import { debater, good, inTurn, question } from '@agonhq/test/fake-provider/stage.ts';
import { createLlmPool } from '../pool.ts';
import type { LlmSettings } from '../providers/settings.ts';
import type { CallControl, Cost, SharedAccount } from './budget.ts';
import { createLimiter, type Limits } from './limiter.ts';

const signal = new AbortController().signal;
const usage = { inputTokens: 70, outputTokens: 30 };

/** A pool on a fake provider, under a control. */
async function setPool(
  control: CallControl,
  script: FakeScript = () => json(good, { usage }),
  settings: LlmSettings = {},
) {
  const provider = await startFakeProvider(script);
  const fake = { baseUrl: `${provider.url}/v1` };
  const pool = createLlmPool(
    { ...settings, providers: { fake }, defaults: { retryDelayMs: 1, ...settings.defaults } },
    {},
    null,
    control,
  );
  const ask = (options: { signal?: AbortSignal } = {}) =>
    pool
      .forItem()('fake:model')
      .answer(debater(), question(), { signal, ...options });
  return { provider, pool, ask, [Symbol.asyncDispose]: () => provider.close() };
}

/** An account in another place, which takes a moment to answer. */
function createLedgerAccount(tokens: number) {
  let committed = 0;
  const settled: Cost[] = [];
  const account: SharedAccount = {
    async reserve(worst) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (committed + worst.tokens > tokens) return null;
      committed += worst.tokens;
      return {
        async settle(actual) {
          await new Promise((resolve) => setTimeout(resolve, 2));
          committed += actual.tokens - worst.tokens;
          settled.push(actual);
        },
      };
    },
  };
  return { account, settled, committed: () => committed };
}

describe("a run's account in the ledger", () => {
  it('has every call set aside before it is made and settled when the answer is there, retries too', async () => {
    const ledger = createLedgerAccount(100_000);
    await using pool = await setPool({ account: ledger.account }, inTurn(status(500), json(good, { usage })));
    expect(await pool.ask()).toMatchObject({ outcome: 'answered', usage: { calls: 2 } });
    expect(ledger.settled.map(({ tokens }) => tokens)).toEqual([0, 100]);
    expect(ledger.committed()).toBe(100);
  });

  it('stands in place of the one in memory, and a target draws on it too', async () => {
    const ledger = createLedgerAccount(100_000);
    await using pool = await setPool({ account: ledger.account }, undefined, { budget: { runTokens: 1 } });
    expect(await pool.ask()).toMatchObject({ outcome: 'answered' });
    expect(await pool.pool.target('fake:model').ask([{ role: 'user', content: 'Hello?' }], { signal })).toMatchObject({
      outcome: 'answered',
    });
    expect(ledger.settled).toHaveLength(2);
  });

  it('that does not cover a call stops it, and what the item had set aside is free again', async () => {
    const ledger = createLedgerAccount(10);
    let refused = 0;
    const account: SharedAccount = {
      async reserve(worst) {
        const reservation = refused++ === 0 ? await ledger.account.reserve(worst) : { settle: async () => {} };
        return reservation;
      },
    };
    await using pool = await setPool({ account }, undefined, { budget: { itemTokens: 1_500 } });
    const reasoner = pool.pool.forItem()('fake:model');
    expect(await reasoner.answer(debater(), question(), { signal })).toMatchObject({
      outcome: 'failed',
      reason: 'budget',
      usage: { calls: 0 },
    });
    expect(pool.provider.requests).toEqual([]);
    // The item's budget covers one call at its worst, not two.
    expect(await reasoner.answer(debater(), question(), { signal })).toMatchObject({ outcome: 'answered' });
  });

  it('that cannot be reached stops the call with its error, and gives back the place and what was set aside', async () => {
    let away = true;
    const account: SharedAccount = {
      async reserve() {
        if (away) throw new Error('the ledger is gone');
        return { settle: async () => {} };
      },
    };
    await using pool = await setPool({ account }, undefined, {
      budget: { itemTokens: 1_500 },
      defaults: { concurrency: 1 },
    });
    const reasoner = pool.pool.forItem()('fake:model');
    await expect(reasoner.answer(debater(), question(), { signal })).rejects.toThrow('the ledger is gone');
    expect(pool.provider.requests).toEqual([]);
    away = false;
    expect(await reasoner.answer(debater(), question(), { signal })).toMatchObject({ outcome: 'answered' });
  });

  it('that cannot be settled costs a note, never the answer', async () => {
    const account: SharedAccount = {
      reserve: async () => ({ settle: () => Promise.reject(new Error('the ledger is gone')) }),
    };
    await using pool = await setPool({ account });
    expect(await pool.ask()).toMatchObject({
      outcome: 'answered',
      notes: [expect.stringMatching(/worst case stays set aside: the ledger is gone/)],
    });
  });

  it('is given back what was set aside for a call that was aborted before it was made', async () => {
    const ledger = createLedgerAccount(100_000);
    await using pool = await setPool({ account: ledger.account });
    const controller = new AbortController();
    const reserved = ledger.account.reserve;
    ledger.account.reserve = (worst) => {
      controller.abort(new Error('gone'));
      return reserved(worst);
    };
    await expect(pool.ask({ signal: controller.signal })).rejects.toThrow('gone');
    expect(ledger.committed()).toBe(0);
    expect(pool.provider.requests).toEqual([]);
  });
});

describe('the limiter of a model that others share', () => {
  it('is asked for by name with its limits, and every call, a target and an embedder among them, goes through it', async () => {
    const asked: [string, Limits][] = [];
    let admitted = 0;
    const control: CallControl = {
      limiter(model, limits) {
        asked.push([model, limits]);
        const limiter = createLimiter(limits);
        return { ...limiter, acquire: (...given) => limiter.acquire(...given).finally(() => void (admitted += 1)) };
      },
    };
    await using pool = await setPool(control, undefined, { defaults: { concurrency: 3, requestsPerMinute: 600 } });
    await pool.ask();
    await pool.ask();
    await pool.pool.target('fake:model').ask([{ role: 'user', content: 'Hello?' }], { signal });
    await pool.pool
      .embedder('fake:embedding')
      .embed('A text.')
      .catch(() => undefined);
    expect(asked).toEqual(
      ['fake:model', 'fake:embedding'].map((model) => [
        model,
        { concurrency: 3, requestsPerMinute: 600, tokensPerMinute: undefined },
      ]),
    );
    expect(admitted).toBe(4);
  });
});
