import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import type { Ledger } from '@agonhq/ledger';
import type { RateLimit } from './rate-limit.ts';
import { createSharedRateLimit } from './shared-rate-limit.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-rates-'));
let ledger: Ledger;
let owners = 0;
let owner: string;
beforeAll(async () => void (ledger = await openNewLedger(path.join(folder, 'ledger.sqlite'))));
beforeEach(() => void (owner = `owner-${(owners += 1)}`));
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

/** How many of so many are let in, and what the others were told. */
async function ask(limit: RateLimit, times: number, of = owner) {
  const refusals: { retryAfter: number; code: string }[] = [];
  let letIn = 0;
  for (let time = 0; time < times; time += 1) {
    try {
      await limit(of);
      letIn += 1;
    } catch (error) {
      refusals.push(error as { retryAfter: number; code: string });
    }
  }
  return { letIn, refusals };
}

test('servers on a ledger let in no more together than one would, and say when there is more', async () => {
  const [one, other] = [createSharedRateLimit(4, ledger.rates), createSharedRateLimit(4, ledger.rates)];
  const first = await ask(one, 3);
  const second = await ask(other, 3);
  expect([first.letIn, second.letIn]).toEqual([3, 1]);
  expect(second.refusals).toMatchObject([
    { code: 'rate-limited', retryAfter: 15 },
    { code: 'rate-limited', retryAfter: 15 },
  ]);
  expect((await ask(one, 1)).letIn).toBe(0);
});

test('the limit is each owner’s own, and of each thing that is counted', async () => {
  const requests = createSharedRateLimit(2, ledger.rates);
  const keys = createSharedRateLimit(2, ledger.rates, { label: 'wrong keys of ' });
  expect((await ask(requests, 3)).letIn).toBe(2);
  expect((await ask(requests, 3, `${owner}-b`)).letIn).toBe(2);
  expect((await ask(keys, 3)).letIn).toBe(2);
});

test('a portion is a second’s worth: a statement for each, and none while nothing is left', async () => {
  let claims = 0;
  const rates = {
    claimPortion: (claim: Parameters<Ledger['rates']['claimPortion']>[0]) => {
      claims += 1;
      return ledger.rates.claimPortion(claim);
    },
  };
  const limit = createSharedRateLimit(300, rates);
  expect((await ask(limit, 10)).letIn).toBe(10);
  expect(claims).toBe(2);
  const narrow = createSharedRateLimit(1, rates, { label: 'narrow ' });
  claims = 0;
  expect((await ask(narrow, 6)).letIn).toBe(1);
  expect(claims).toBe(2);
});

test('who is asked for by many at once claims once for all of them', async () => {
  let claims = 0;
  const limit = createSharedRateLimit(600, {
    claimPortion: async (claim) => {
      claims += 1;
      return ledger.rates.claimPortion(claim);
    },
  });
  await Promise.all(Array.from({ length: 10 }, async () => limit(owner)));
  expect(claims).toBe(1);
});

test('what is not used within a minute is given up, and waiting as long as was said is enough', async () => {
  let now = 0;
  const granted: number[] = [];
  const limit = createSharedRateLimit(
    120,
    {
      async claimPortion({ wanted }) {
        const grant = granted.shift() ?? 0;
        return { granted: Math.min(wanted, grant), waitMs: grant > 0 ? 0 : 1_500 };
      },
    },
    { now: () => now },
  );
  granted.push(2, 0, 2);
  expect((await ask(limit, 1)).letIn).toBe(1);
  now = 60_000;
  expect((await ask(limit, 1)).refusals).toMatchObject([{ retryAfter: 2 }]);
  now += 1_499;
  expect((await ask(limit, 1)).letIn).toBe(0);
  now += 1;
  expect((await ask(limit, 1)).letIn).toBe(1);
});
