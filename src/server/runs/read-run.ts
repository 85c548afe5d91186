import { AgonError } from '../../errors.ts';
import type { Ledger, RunRow, RunCounts } from '../../ledger/index.ts';
import { findRun, type RunProgress } from '../../runs/index.ts';

export async function findRunById(id: string, { runs }: Pick<Ledger, 'runs'>): Promise<RunRow> {
  return (await runs.findRun(id)) ?? unknownRun(id);
}

/** The run that these words name: its id, its name, or how its id begins. */
export async function findRunByName(words: string, ledger: Ledger): Promise<RunRow> {
  return (await findRun(ledger, words)) ?? unknownRun(words);
}

/** Where the ledger lies is not for those who ask over HTTP. */
function unknownRun(words: string): never {
  throw new AgonError('unknown-run', `There is no run ${words}.`, 'GET /api/runs lists them.');
}

/** Where a run stands that others work on, or nobody. */
export function readProgress(counts: RunCounts, total: number | null): RunProgress {
  const { waiting, running, done, failed, same, byLabel, byGuard, failuresByCode, endedLastMinute } = counts;
  const { calls, inputTokens, outputTokens, cachedTokens, costUsd } = counts.usage;
  const rate = waiting + running === 0 ? 0 : endedLastMinute / 60;
  return {
    read: waiting + running + done + failed + same,
    total,
    done,
    failed,
    same,
    waiting,
    running,
    byLabel,
    byGuard,
    failuresByCode,
    rate,
    etaSeconds: total === null || rate === 0 ? null : (waiting + running) / rate,
    usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd },
  };
}
