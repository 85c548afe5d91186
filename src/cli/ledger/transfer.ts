import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Ledger } from '../../ledger/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { cannotWrite, readLines } from '../files.ts';
import { addLedgerFlags } from '../flags.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { printLine } from '../process.ts';
import { formatCount, formatCounts } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';

/** `agon ledger export` */
export function defineLedgerExport(command: Command): void {
  command
    .description(
      'Write the whole ledger as lines of JSON that `agon ledger import` reads. Vectors are left out; they are ' +
        'computed again.',
    )
    .option('--out <file.jsonl>', 'write to this file (default: standard output)');
  addLedgerFlags(command);
  addExamples(command, [
    'agon ledger export --out ledger.jsonl',
    'agon ledger export | gzip > ledger.jsonl.gz',
    'agon ledger export | agon ledger import - --ledger postgres://agon@db/agon',
  ]);
  setAction(command, exportLedger);
}

async function exportLedger({ out, ...flags }: LedgerFlags & { out?: string }): Promise<number> {
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(flags, async (ledger) => {
    if (out === undefined) for await (const line of exportLines(ledger)) await printLine(line);
    else {
      const lines = await saveExport(out, ledger);
      process.stderr.write(`Wrote ${formatCount(lines, 'line')} to ${sanitize(out)}.\n`);
    }
    return exitCodes.judged;
  });
}

async function* exportLines(ledger: Ledger): AsyncGenerator<string, void, void> {
  for await (const line of ledger.export()) yield `${JSON.stringify(line)}\n`;
}

/** The file appears when it is complete. */
async function saveExport(out: string, ledger: Ledger): Promise<number> {
  const part = `${out}.part`;
  let lines = 0;
  async function* counted() {
    for await (const line of exportLines(ledger)) {
      lines += 1;
      yield line;
    }
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(part, { mode: 0o600 }));
    await rename(part, out);
    return lines;
  } catch (error) {
    await rm(part, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw cannotWrite(out, error, 'Choose another file with --out.');
  }
}

/** `agon ledger import FILE` */
export function defineLedgerImport(command: Command): void {
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
