import { randomUUID } from 'node:crypto';
import type { Ledger } from '../../ledger/index.ts';
import type { SharedAccount } from '../../reasoners/index.ts';
import { budgetSpent } from './affordable.ts';

/**
 * The account of a run in the ledger. A call that is not covered waits for those that this process is making: most cost
 * less than was set aside for them. When none of them is left, the budget is spent; that must not cost an item a voice,
 * so it waits for more as it is.
 */
export function runAccount(
  runs: Pick<Ledger['runs'], 'reserveCall' | 'settleCall'>,
  run: string,
  allowance: { usd?: number; tokens?: number },
): SharedAccount {
  /** Calls that are being asked for or made. */
  let open = 0;
  let changed = Promise.withResolvers<void>();

  function close(): void {
    open -= 1;
    changed.resolve();
    changed = Promise.withResolvers();
  }

  return {
    async reserve(worst) {
      for (;;) {
        const change = changed.promise;
        const call = randomUUID();
        open += 1;
        const covered = await runs.reserveCall(run, call, worst, allowance).catch((error: unknown) => {
          close();
          throw error;
        });
        if (covered) return { settle: (actual) => runs.settleCall(run, call, actual).finally(close) };
        if (open === 1) {
          close();
          throw budgetSpent();
        }
        open -= 1;
        await change;
      }
    },
  };
}
