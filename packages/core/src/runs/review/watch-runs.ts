import type { Ledger, RunCounts, RunRow, WorkerRow } from '@agonhq/ledger';

/** What runs at one moment. */
export interface Snapshot {
  version: 1;
  at: Date;
  runs: readonly RunningRun[];
  /** Null where a ledger serves one machine: who works there is not on record. */
  workers: readonly WorkerRow[] | null;
}

export interface RunningRun
  extends
    Pick<RunRow, 'id' | 'name' | 'job' | 'total' | 'startedAt'>,
    Pick<RunCounts, 'waiting' | 'running' | 'failed'> {
  /** Judged, or the same as one that was. */
  done: number;
  /** Items a second over the last minute. */
  rate: number;
  /** Null while nothing ends, or while the input is still being read. */
  etaSeconds: number | null;
  /** Null when a price is not known. */
  costUsd: number | null;
  usdPerHour: number | null;
}

const windowSeconds = 60;

/** The runs that run, and the workers that are there. */
export async function takeSnapshot(ledger: Ledger, at = new Date()): Promise<Snapshot> {
  const runs = await ledger.runs.listRuns({ states: ['running'] });
  return {
    version: 1,
    at,
    runs: await Promise.all(runs.map(async (run) => runningRun(run, await ledger.runs.countItems(run.id), at))),
    workers: (await ledger.fleet?.listWorkers()) ?? null,
  };
}

function runningRun({ id, name, job, total, startedAt }: RunRow, counts: RunCounts, at: Date): RunningRun {
  const { waiting, running, failed, same, usage } = counts;
  const elapsed = Math.max(1, (at.getTime() - startedAt.getTime()) / 1000);
  const rate = counts.endedLastMinute / Math.min(windowSeconds, elapsed);
  const done = counts.done + same;
  const left = total === null ? null : total - done - failed;
  return {
    id,
    name,
    job,
    total,
    startedAt,
    waiting,
    running,
    failed,
    done,
    rate,
    etaSeconds: left === null || rate === 0 ? null : left / rate,
    costUsd: usage.costUsd,
    usdPerHour: usage.costUsd === null || counts.done === 0 ? null : (usage.costUsd / counts.done) * rate * 3600,
  };
}
