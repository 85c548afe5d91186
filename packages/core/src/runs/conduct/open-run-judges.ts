import { isDeepStrictEqual } from 'node:util';
import { reportEmbedding } from '../../app/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, RunRow } from '@agonhq/ledger';
import type { Runner } from './open-runner.ts';
import { openJudge, type RunJudge } from './open-judge.ts';
import { readRunPlan } from './run-plan.ts';
import type { WorkerOptions } from './worker.ts';

interface Opened {
  row: RunRow;
  judge: RunJudge;
}

/**
 * The judges of the runs that a worker works on, opened when a run is met for the first time, or with another plan (a
 * resume with more money).
 */
export function openRunJudges(
  ledger: Ledger,
  runner: Runner,
  {
    jobs,
    own,
    environment,
    readFiles,
    reasoners,
  }: Pick<WorkerOptions, 'jobs' | 'own' | 'environment' | 'readFiles' | 'reasoners'>,
  onLine: (line: string) => void,
) {
  const open = new Map<string, Opened>();
  /** Those of an earlier plan, whom items in hand may still be with. */
  let retired: Opened[] = [];
  const refused = new Map<string, string>();

  function refuse(run: string, error: AgonError): void {
    const words = `${error.message} ${error.hint} (${error.code})`;
    if (refused.get(run) === words) return;
    refused.set(run, words);
    onLine(`${run} is left to other workers: ${words}`);
  }

  function hasPlanOf(run: RunRow): boolean {
    const opened = open.get(run.id);
    if (!opened || (opened.row !== run && !isDeepStrictEqual(opened.row.settings, run.settings))) return false;
    // The rows are read anew every second: the next one is compared with this one.
    opened.row = run;
    return true;
  }

  return {
    refuse,
    refused: () => Object.fromEntries(refused),
    /** Whether the judge of a run was opened by the plan that the run has now. */
    hasPlanOf,
    /** Whether this worker has what the run needs: the same Agon, its models, their keys. */
    async canJudge(run: RunRow): Promise<boolean> {
      if (refused.has(run.id)) return false;
      if (hasPlanOf(run)) return true;
      try {
        const judge = await openJudge(readRunPlan(jobs, run), {
          ...runner,
          jobs,
          ledger,
          run: run.id,
          own,
          environment,
          ...(readFiles ? { readFiles } : {}),
          ...(reasoners ? { reasoners } : {}),
          onEmbedding: reportEmbedding(onLine),
        });
        const earlier = open.get(run.id);
        if (earlier) retired.push(earlier);
        open.set(run.id, { row: run, judge });
        return true;
      } catch (error) {
        if (!AgonError.is(error) || error.code === 'ledger-unreachable') throw error;
        refuse(run.id, error);
        return false;
      }
    },
    of: async (run: string) => open.get(run)!.judge,
    rowOf: (run: string) => open.get(run)!.row,
    /** Lets go of the runs that have ended or were stopped: when one goes on, it is looked at anew. */
    async keepOnly(running: readonly RunRow[]): Promise<void> {
      const held = new Set(runner.pool.held().map((item) => item.run));
      const ids = new Set([...running.map(({ id }) => id), ...held]);
      for (const id of refused.keys()) if (!ids.has(id)) refused.delete(id);
      const [idle, busy] = [
        retired.filter(({ row }) => !held.has(row.id)),
        retired.filter(({ row }) => held.has(row.id)),
      ];
      retired = busy;
      for (const [id, opened] of open) {
        if (ids.has(id)) continue;
        open.delete(id);
        idle.push(opened);
      }
      for (const { judge } of idle) await judge.close();
    },
    async close() {
      for (const { judge } of [...open.values(), ...retired]) await judge.close();
    },
  };
}
