import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { readLines } from '../read-input.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { addPrecedentsFlags, withPrecedents, type PrecedentsFlags } from './with-precedents.ts';

/** `agon precedents import FILE` */
export function define(command: Command): void {
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
