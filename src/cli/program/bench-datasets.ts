import { Option, type Command } from 'commander';
import type { DatasetsCheckFlags } from '../commands/bench-datasets.ts';
import { collect, list, positive } from '../option-groups.ts';

export function addBenchDatasets(bench: Command): void {
  const datasets = bench
    .command('datasets')
    .description('The formats of labelled data that can be read, and a check of a file before it is measured on.')
    .option('--json', 'print the formats as JSON')
    .action(async (flags: { json?: boolean }) => {
      const { datasetsCommand } = await import('../commands/bench-datasets.ts');
      process.exitCode = datasetsCommand(flags);
    });

  datasets
    .command('check')
    .argument('<file...>', 'labelled data: JSONL, JSON, CSV or TSV, also packed as .gz, of any size')
    .description(
      'What is in labelled data and what is wrong with it: broken lines, balance, duplicates, label conflicts, ' +
        'trivial items, and items that the precedents, a model or a training file have seen.',
    )
    .option(
      '--format <name>',
      'how the file is laid out, instead of what it looks like; `agon bench datasets` lists the formats',
    )
    .addOption(
      new Option('--job <job>', 'what it is data of, instead of what its first item looks like').choices([
        'moderation',
        'evaluation',
        'documents',
      ]),
    )
    .option('--map <field=name,…>', 'what the data calls our fields: text=comment,label=is_toxic', list)
    .option('--map-label <value=label,…>', 'what the labels of the data mean: hateful=unsafe,fine=safe', list)
    .option('--by <field>', 'the field that says the category')
    .option('--root <folder>', "what paths in the data are relative to (default: the file's folder)")
    .option('--limit <n>', 'only the first items of each file', positive)
    .option('--against <file>', 'a training file that must not hold the items; may be given several times', collect)
    .option(
      '--library <ledger>',
      "the ledger whose precedents must not hold them, beside the seeds (default: the installation's own)",
    )
    .option('--no-library', 'leave precedents out')
    .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
    .option('--strict', 'exit with 1 when an item was seen before or labels contradict each other')
    .option('--json', 'print the report as JSON, one object for each file')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      `
Examples:
  agon bench datasets
  agon bench datasets check items.jsonl
  agon bench datasets check xstest_prompts.csv --against train.jsonl.gz --strict
  agon bench datasets check comments.csv --map text=comment,label=is_toxic --map-label yes=unsafe,no=safe --json`,
    )
    .action(async (files: string[], flags: DatasetsCheckFlags, command: Command) => {
      const { datasetsCheckCommand } = await import('../commands/bench-datasets.ts');
      // --json is also a flag of the command above, which takes it.
      process.exitCode = await datasetsCheckCommand(files, {
        ...flags,
        json: flags.json ?? command.parent?.opts<{ json?: boolean }>().json,
      });
    });
}
