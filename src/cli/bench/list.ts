import type { Command } from 'commander';
import type { BenchRow } from '../../ledger/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addLedgerFlag, positive } from '../flags.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { formatMoment } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';

interface ListFlags extends LedgerFlags {
  limit: number;
  json?: boolean;
}

/** `agon bench list` */
export function define(command: Command): void {
  command
    .description('List recorded benches, newest first.')
    .option('--limit <n>', 'list at most n benches', positive, 20)
    .option('--json', 'print the list as JSON');
  addLedgerFlag(command);
  addExamples(command, ['agon bench list', 'agon bench list --limit 5 --json']);
  setAction(command, listBenches);
}

const heading = ['bench', 'what', 'data', 'judgements', 'state', 'started'];

async function listBenches(flags: ListFlags): Promise<number> {
  const { readBenchSummary } = await import('../../bench/index.ts');
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(flags, async (ledger) => {
    const rows = await ledger.benches.listBenches({ limit: flags.limit });
    if (flags.json) printLines([JSON.stringify(rows.map((row) => ({ ...row, plan: readBenchSummary(row) })))]);
    else if (rows.length === 0) printLines(['There are no benches on record.']);
    else {
      const cells = rows.map((row) =>
        formatBench(
          row,
          readBenchSummary(row).sets.map(({ title }) => sanitize(title)),
        ),
      );
      printLines(formatTable([heading, ...cells], [0, 1, 2, 4, 5]));
    }
    return exitCodes.judged;
  });
}

function formatBench({ id, name, judged, state, startedAt }: BenchRow, titles: readonly string[]): string[] {
  return [
    id,
    sanitize(name),
    titles.length > 3 ? `${titles.slice(0, 3).join(', ')} and ${titles.length - 3} more` : titles.join(', '),
    String(judged),
    state,
    formatMoment(startedAt),
  ];
}
