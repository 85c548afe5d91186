import { benchOnRecord, summaryIn } from '../../bench/index.ts';
import type { BenchRow, Ledger } from '../../ledger/index.ts';
import { AgonError } from '../../errors.ts';
import { openBenchReporter, type BenchReportFlags } from '../bench/write-bench-reports.ts';
import { renderSet } from '../bench/show-set.ts';
import { formatMoment } from '../terminal/format.ts';
import { exitCodes } from '../print-error.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { sanitize, printLines } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';

/** `agon bench list`: returns the exit code. */
export async function benchListCommand(flags: LedgerFlags & { limit: number; json?: boolean }): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const rows = await ledger.benches.listBenches({ limit: flags.limit });
    if (flags.json) printLines([JSON.stringify(rows.map((row) => ({ ...row, plan: summaryIn(row) })))]);
    else
      printLines(
        rows.length === 0
          ? ['No bench is on record.']
          : formatTable(
              [['bench', 'what', 'data', 'judgements', 'state', 'started'], ...rows.map(rowOf)],
              [0, 1, 2, 4, 5],
            ),
      );
    return exitCodes.judged;
  });
}

function rowOf(row: BenchRow): string[] {
  const { sets } = summaryIn(row);
  const titles = sets.map(({ title }) => sanitize(title));
  return [
    row.id,
    sanitize(row.name),
    titles.length > 3 ? `${titles.slice(0, 3).join(', ')} and ${titles.length - 3} more` : titles.join(', '),
    String(row.judged),
    row.state,
    formatMoment(row.startedAt),
  ];
}

/** `agon bench report [ID]`: the tables and reports of a bench on record, without a new call; returns the exit code. */
export async function benchReportCommand(
  id: string | undefined,
  flags: LedgerFlags & BenchReportFlags,
): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const { sets, title, missing } = await benchOnRecord(ledger, id ?? (await latest(ledger)));
    if (missing.length > 0)
      process.stderr.write(
        `agon: the bench was not finished: nothing is on record of ${sanitize(missing.join(', '))}.\n`,
      );
    const reporter = openBenchReporter(flags, title);
    for (const set of sets)
      process.stdout.write(flags.json ? `${JSON.stringify(reporter.json(set))}\n` : `${renderSet(set).join('\n')}\n`);
    return reporter.write(sets);
  });
}

async function latest(ledger: Ledger): Promise<string> {
  const done = (await ledger.benches.listBenches({ limit: 50 })).find(({ state }) => state === 'done');
  if (!done)
    throw new AgonError(
      'unknown-bench',
      'No finished bench is on record.',
      'Measure something: agon bench moderation --data items.jsonl.',
    );
  return done.id;
}

/** `agon bench forget ID`: returns the exit code. */
export async function benchForgetCommand(id: string, flags: LedgerFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const row = await ledger.benches.findBench(id);
    if (!row)
      throw new AgonError(
        'unknown-bench',
        `There is no bench ${id} on record.`,
        '`agon bench list` shows those there are.',
      );
    await ledger.benches.removeBench(row.id);
    process.stderr.write(`Bench ${row.id} is off the record, with ${row.judged} judgements.\n`);
    return exitCodes.judged;
  });
}
