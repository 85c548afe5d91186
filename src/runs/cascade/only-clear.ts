import { AsyncLocalStorage } from 'node:async_hooks';
import type { Answer, Journal } from '../../debate/index.ts';
import type { JobAnswer } from '../../jobs/index.ts';
import type { Ledger, OpenedCase } from '../../ledger/index.ts';

/** A ledger for the first tier, and the way to judge one item with it. */
export interface ClearRecord {
  ledger: Ledger;
  /** Whatever `judge` opens and closes goes on record together, or not at all. */
  within<Result>(judge: () => Promise<Result>): Promise<Result>;
}

/** A trial of one seat, without a call that costs anything, is sooner held again than looked up. */
const forgetful: Journal = { find: async () => undefined, insert: async (_, entry) => entry };

/** Puts only those answers on record that decide: the case of any other is the debate's, which comes after. */
export function onlyClear(ledger: Ledger, isClear: (answer: WithVerdict) => boolean): ClearRecord {
  const trial = new AsyncLocalStorage<{ opened?: OpenedCase }>();
  return {
    ledger: {
      ...ledger,
      journal: forgetful,
      cases: {
        ...ledger.cases,
        openCase: async (opened) => {
          trial.getStore()!.opened = opened;
        },
        closeCase: async (answer) => {
          if (!hasVerdict(answer) || !isClear(answer)) return;
          await ledger.cases.openCase(trial.getStore()!.opened!);
          await ledger.cases.closeCase(answer);
        },
      },
    },
    within: (judge) => trial.run({}, judge),
  };
}

type WithVerdict = JobAnswer & Pick<Answer, 'verdict'>;

function hasVerdict(answer: JobAnswer): answer is WithVerdict {
  return 'verdict' in answer;
}
