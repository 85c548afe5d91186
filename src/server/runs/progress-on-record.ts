import type { RunCounts } from '../../ledger/index.ts';
import type { RunProgress } from '../../runs/index.ts';

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
