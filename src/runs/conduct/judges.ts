import { AgonError } from '../../errors.ts';
import type { Ledger, RunRow } from '../../ledger/index.ts';
import type { Desk } from './desk.ts';
import { openJudge } from './open-judge.ts';
import type { RunJudge } from './run-judge.ts';
import { planOf } from './run-plan.ts';
import type { WorkerOptions } from './worker.ts';

/** The judges of the runs that a worker works on, opened when a run is met for the first time. */
export function judgesOf(ledger: Ledger, desk: Desk, { own, environment }: Pick<WorkerOptions, 'own' | 'environment'>, onLine: (line: string) => void) {
  const open = new Map<string, { row: RunRow; judge: RunJudge }>();
  const refused = new Map<string, string>();

  function refuse(run: string, error: AgonError): void {
    refused.set(run, `${error.message} ${error.hint} (${error.code})`);
    onLine(`${run} is left to other workers: ${refused.get(run)}`);
  }

  return {
    refuse,
    refused: () => Object.fromEntries(refused),
    /** Whether this worker has what the run needs: the same Agon, its models, their keys. */
    async canJudge(run: RunRow): Promise<boolean> {
      if (refused.has(run.id)) return false;
      if (open.has(run.id)) return true;
      try {
        open.set(run.id, { row: run, judge: await openJudge(planOf(run), { ...desk, ledger, run: run.id, own, environment }) });
        return true;
      } catch (error) {
        if (!AgonError.is(error)) throw error;
        refuse(run.id, error);
        return false;
      }
    },
    of: async (run: string) => open.get(run)!.judge,
    rowOf: (run: string) => open.get(run)!.row,
    async close() {
      for (const { judge } of open.values()) await judge.close();
    },
  };
}
