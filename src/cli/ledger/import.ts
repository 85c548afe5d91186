import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addLedgerFlags } from '../flags.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { readLines } from '../read-input.ts';
import { formatCount, formatCounts } from '../terminal/format.ts';
import { printLines } from '../terminal/style.ts';

/** `agon ledger import FILE` */
export function define(command: Command): void {
  command
    .description('Import what `agon ledger export` wrote: all of it, or nothing. Existing rows stay unchanged.')
    .argument('<file.jsonl>', 'an export; - reads standard input')
    .option('--json', 'print what was imported as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon ledger import ledger.jsonl', 'gunzip -c ledger.jsonl.gz | agon ledger import -']);
  setAction(command, importLedger);
}

async function importLedger(file: string, flags: LedgerFlags & { json?: boolean }): Promise<number> {
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(
    flags,
    async (ledger) => {
      const report = await ledger.import(readLines(file));
      const total = (byKind: Record<string, number>) => Object.values(byKind).reduce((sum, number) => sum + number, 0);
      const kinds = formatCounts(report.inserted);
      printLines([
        flags.json
          ? JSON.stringify({ version: 1, ...report })
          : `Imported ${formatCount(total(report.inserted), 'row')}${kinds === '' ? '' : ` (${kinds})`}; ` +
            `${total(report.present).toLocaleString('en')} already existed.`,
      ]);
      return exitCodes.judged;
    },
    { create: true },
  );
}
