import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { formatCount } from '../terminal/format.ts';
import { style } from '../terminal/style.ts';
import { addFilterFlags, formatPrecedent, readFilter, withPrecedents, type FilterFlags } from './with-precedents.ts';

/** `agon precedents list` */
export function define(command: Command): void {
  command.description('List precedents, one per line.');
  addFilterFlags(command);
  addExamples(command, ['agon precedents list', 'agon precedents list --state proposed --json']);
  setAction(command, printPrecedents);
}

async function printPrecedents(flags: FilterFlags): Promise<number> {
  const { listPrecedents } = await import('../../precedents/index.ts');
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    let count = 0;
    for await (const precedent of listPrecedents(seeds, ledger.precedents, readFilter(flags))) {
      count += 1;
      process.stdout.write(flags.json ? `${JSON.stringify(precedent)}\n` : `${formatPrecedent(precedent)}\n`);
    }
    if (!flags.json) process.stdout.write(`${style('dim', formatCount(count, 'precedent'))}\n`);
  });
}
