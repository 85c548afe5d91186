import { Option, type Command } from 'commander';
import type { ListFlags, PrecedentsFlags } from '../commands/precedents.ts';
import { positive, withLedger } from '../option-groups.ts';

/** `agon precedents …` */
export function addPrecedents(program: Command): void {
  const precedents = program
    .command('precedents')
    .summary('look after the decided cases that debates draw on')
    .description('Look after the precedents: the seeds that ship with Agon and what the ledger holds.');

  withFilter(precedents.command('list').description('List precedents, one a line.')).action(
    async (flags: ListFlags) => {
      const { listCommand } = await import('../commands/precedents.ts');
      process.exitCode = await listCommand(flags);
    },
  );

  withPlace(precedents.command('show').description('Show one precedent.').argument('<id>', 'its id')).action(
    async (id: string, flags: PrecedentsFlags) => {
      const { showCommand } = await import('../commands/precedents.ts');
      process.exitCode = await showCommand(id, flags);
    },
  );

  withPlace(
    precedents
      .command('search')
      .description('Find the precedents that a debate about this text would be shown.')
      .argument('<text>', 'what would be judged'),
  )
    .option('--limit <n>', 'at most so many', positive, 10)
    .action(async (text: string, flags: PrecedentsFlags & { limit?: number }) => {
      const { searchCommand } = await import('../commands/precedents.ts');
      process.exitCode = await searchCommand(text, flags);
    });

  withPlace(
    precedents
      .command('import')
      .description('Take in precedents from a file, all or nothing.')
      .argument('<file.jsonl>', 'one JSON object a line; - for standard input'),
  )
    .addHelpText(
      'after',
      '\nA line: {"id":"house-1","label":"safe","summary":"…","why":"…","text":"…","cues":["…"],"category":"violence"}\n',
    )
    .action(async (file: string, flags: PrecedentsFlags) => {
      const { importCommand } = await import('../commands/precedents.ts');
      process.exitCode = await importCommand(file, flags);
    });

  withFilter(precedents.command('export').description('Write precedents as JSON Lines, as `import` reads them.'))
    .option('--out <file>', 'where they go (default: standard output)')
    .action(async (flags: ListFlags & { out?: string }) => {
      const { exportCommand } = await import('../commands/precedents.ts');
      process.exitCode = await exportCommand(flags);
    });

  withPlace(
    precedents
      .command('retire')
      .description('Take a precedent out of use; it stays on record with the reason.')
      .argument('<id>', 'its id'),
  )
    .requiredOption('--why <text>', 'the reason')
    .action(async (id: string, flags: PrecedentsFlags & { why: string }) => {
      const { retireCommand } = await import('../commands/precedents.ts');
      process.exitCode = await retireCommand(id, flags);
    });
}

function withPlace(command: Command): Command {
  return withLedger(command)
    .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
    .option('--policy <file>', 'the policy under whose clauses the seeds stand')
    .option('--json', 'print JSON');
}

function withFilter(command: Command): Command {
  return withPlace(command)
    .addOption(new Option('--state <state>', 'only these').choices(['active', 'proposed', 'retired', 'overruled']))
    .addOption(new Option('--label <label>', 'only these').choices(['safe', 'unsafe']))
    .option('--category <id>', 'only those of this category');
}
