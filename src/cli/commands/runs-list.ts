import type { Ledger, RunCounts, RunRow, RunState } from '../../ledger/index.ts';
import { fitLines, formatTable } from '../terminal/table.ts';
import { formatMoment, formatCounts, formatMoney } from '../terminal/format.ts';
import { exitCodes } from '../print-error.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { sanitize, printLines } from '../terminal/style.ts';

export interface RunsListFlags extends LedgerFlags {
  state?: RunState[];
  limit: number;
  json?: boolean;
}

/** `agon runs list`: the newest first. */
export function runsListCommand(flags: RunsListFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const rows = await ledger.runs.listRuns({
      limit: flags.limit + 1,
      ...(flags.state ? { states: flags.state } : {}),
    });
    const runs = await withCounts(ledger, rows.slice(0, flags.limit));
    if (flags.json) printLines(runs.map(({ run, counts }) => JSON.stringify({ ...run, settings: undefined, counts })));
    else if (runs.length === 0)
      printLines([
        flags.state
          ? 'No run is like that.'
          : 'There is no run yet: agon run moderation --file items.jsonl starts one.',
      ]);
    else
      printLines([
        ...fitLines(formatTable([heading, ...runs.map(cells)], [0, 1, 2, 3, 8])),
        ...(rows.length > flags.limit ? [`There are more: --limit ${flags.limit * 5}.`] : []),
      ]);
    return exitCodes.judged;
  });
}

async function withCounts(ledger: Ledger, rows: readonly RunRow[]): Promise<{ run: RunRow; counts: RunCounts }[]> {
  return Promise.all(rows.map(async (run) => ({ run, counts: await ledger.runs.countItems(run.id) })));
}

const heading = ['run', 'name', 'job', 'state', 'done', 'failed', 'spend', 'started', 'verdicts'];

function cells({ run, counts }: { run: RunRow; counts: RunCounts }): string[] {
  const ended = counts.done + counts.same;
  return [
    run.id,
    sanitize(run.name ?? '–'),
    run.job,
    run.state,
    `${ended.toLocaleString('en')}/${run.total?.toLocaleString('en') ?? '?'}`,
    counts.failed.toLocaleString('en'),
    formatMoney(counts.usage.costUsd),
    formatMoment(run.startedAt),
    sanitize(formatCounts(counts.byLabel)),
  ];
}
