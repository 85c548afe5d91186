import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openRunAccount } from './open-judge.ts';

/** As the ledger keeps it. */
function accountOf(tokens: number) {
  const held = new Map<string, number>();
  const sum = () => [...held.values()].reduce((total, next) => total + next, 0);
  const account = openRunAccount(
    {
      async reserveCall(_, call, worst, allowance) {
        await turn();
        if (sum() + worst.tokens > allowance.tokens!) return false;
        held.set(call, worst.tokens);
        return true;
      },
      async settleCall(_, call, actual) {
        held.set(call, actual.tokens);
      },
    },
    'run-1',
    { tokens },
  );
  return { reserve: (worst: number) => account.reserve({ tokens: worst, usd: null }), sum };
}

const cost = (tokens: number) => ({ tokens, usd: null });

describe("a run's account", () => {
  test('lets a call wait for others that may cost less than was set aside for them', async () => {
    const { reserve, sum } = accountOf(100);
    const first = await reserve(80);
    const second = reserve(80);
    await turn();
    await first!.settle(cost(10));
    await (await second)!.settle(cost(10));
    expect(sum()).toBe(20);
  });

  test('is spent when nothing is being called that could leave more', async () => {
    const { reserve, sum } = accountOf(100);
    const [first, ...others] = [reserve(80), reserve(80), reserve(80)];
    await (await first)!.settle(cost(70));
    await expect(Promise.allSettled(others)).resolves.toMatchObject(
      others.map(() => ({ status: 'rejected', reason: { code: 'budget-spent' } })),
    );
    await (await reserve(30))!.settle(cost(30));
    expect(sum()).toBe(100);
  });

  test('leaves nobody waiting when it cannot be reached', async () => {
    let reachable = true;
    const account = openRunAccount(
      {
        async reserveCall() {
          await turn();
          if (!reachable) throw new Error('gone');
          reachable = false;
          return true;
        },
        settleCall: async () => {
          throw new Error('gone');
        },
      },
      'run-1',
      { tokens: 1 },
    );
    const first = await account.reserve(cost(1));
    await expect(first!.settle(cost(1))).rejects.toThrow('gone');
    await expect(account.reserve(cost(1))).rejects.toThrow('gone');
  });
});
