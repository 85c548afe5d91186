import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { cannotWrite } from '../write-file.ts';
import { addFilterFlags, readFilter, withPrecedents, type FilterFlags } from './with-precedents.ts';

/** `agon precedents export` */
export function define(command: Command): void {
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
