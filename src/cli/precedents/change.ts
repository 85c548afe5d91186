import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { cannotWrite, readLines } from '../files.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import {
  addFilterFlags,
  addPrecedentsFlags,
  readFilter,
  withPrecedents,
  type FilterFlags,
  type PrecedentsFlags,
} from './with-precedents.ts';

/** `agon precedents import FILE` */
export function definePrecedentsImport(command: Command): void {
  command
    .description('Import precedents from a file: all of them, or none.')
    .argument('<file.jsonl>', 'one JSON object per line; - reads standard input');
  addPrecedentsFlags(command);
  addExamples(
    command,
    ['agon precedents import house.jsonl', 'agon precedents export --ledger other.sqlite | agon precedents import -'],
    'A line: {"id":"house-1","label":"safe","summary":"…","why":"…","text":"…","cues":["…"],"category":"violence"}',
  );
  setAction(command, importFile);
}

async function importFile(file: string, flags: PrecedentsFlags): Promise<number> {
  const { importPrecedents } = await import('../../precedents/index.ts');
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const lines: string[] = [];
    for await (const line of readLines(file)) lines.push(line);
    const report = await importPrecedents(lines, {
      name: file === '-' ? 'standard input' : file,
      seeds,
      store: ledger.precedents,
    });
    if (flags.json) return printLines([JSON.stringify(report)]);
    const { imported, present, duplicates } = report;
    printLines([
      `Imported ${imported.length}; ${present.length} already existed, ${duplicates.length} duplicated another.`,
      ...duplicates.map(({ id, of }) => style('dim', `  ${sanitize(id)} duplicates ${sanitize(of)}`)),
    ]);
  });
}

/** `agon precedents export` */
export function definePrecedentsExport(command: Command): void {
  command
    .description('Write precedents as lines of JSON that `agon precedents import` reads.')
    .option('--out <file>', 'write to this file (default: standard output)');
  addFilterFlags(command);
  addExamples(command, ['agon precedents export --out precedents.jsonl', 'agon precedents export --label unsafe']);
  setAction(command, exportToFile);
}

async function exportToFile(flags: FilterFlags & { out?: string }): Promise<number> {
  const { exportPrecedents } = await import('../../precedents/index.ts');
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const lines = exportPrecedents(seeds, ledger.precedents, readFilter(flags));
    if (flags.out === undefined) {
      for await (const line of lines) process.stdout.write(line);
      return;
    }
    const out = await open(flags.out, 'w').catch((error: unknown) => {
      throw cannotWrite(flags.out!, error, 'Choose another file with --out.');
    });
    try {
      for await (const line of lines) await out.write(line);
    } finally {
      await out.close();
    }
  });
}

/** `agon precedents retire ID --why TEXT` */
export function definePrecedentsRetire(command: Command): void {
  command
    .description('Take a precedent out of use. It stays on record with the reason.')
    .argument('<id>', 'id of the precedent')
    .requiredOption('--why <text>', 'reason');
  addPrecedentsFlags(command);
  addExamples(command, ['agon precedents retire learnt-5be2a90c11d4 --why "The clause was repealed."']);
  setAction(command, retire);
}

async function retire(id: string, flags: PrecedentsFlags & { why: string }): Promise<number> {
  const { retirePrecedent } = await import('../../precedents/index.ts');
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const retired = await retirePrecedent(id, flags.why, seeds, ledger.precedents);
    printLines([flags.json ? JSON.stringify(retired) : `Retired ${sanitize(id)}: ${sanitize(retired.overruledBy!)}`]);
  });
}
