import { Option, type Command } from 'commander';
import type { CascadeFitFlags } from '../commands/cascade-fit.ts';
import { concurrency, list } from '../option-groups.ts';

export function addCascade(program: Command): void {
  const cascade = program
    .command('cascade')
    .summary('choose what the embedded guard may decide alone')
    .description('Choose, on labelled data, what the embedded guard may decide alone in a run with --cascade.');
  cascade
    .command('fit')
    .summary('fit the bounds of a cascade for a stated risk')
    .description(
      'Let the guard judge labelled data, and choose the bounds beyond which at most the stated share of its ' +
        'verdicts is wrong, by a bound that holds for finite samples.',
    )
    .option(
      '--data <file>',
      'labelled items, as for `agon run --file`: JSONL or CSV with "label" (default: what people decided in the ' +
        'ledger)',
    )
    .addOption(
      new Option('--job <job>', 'whose items they are').choices(['moderation', 'evaluation']).default('moderation'),
    )
    .option('--risk <share>', 'at most this share of what the guard decides may be wrong', '0.05')
    .option('--confidence <share>', 'with this confidence', '0.95')
    .option('--out <cascade.json>', 'where the cascade goes')
    .option('--root <folder>', 'what image paths are relative to (default: the folder of --data)')
    .option('--map <pairs>', 'what the data calls our fields: text=comment,label=is_toxic', list)
    .option('--map-label <pairs>', 'what its labels mean: hateful=unsafe', list)
    .option('--policy <file>', 'the policy of the runs that will use it')
    .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
    .option('--ledger <file>', 'the ledger with the decisions')
    .option('--concurrency <n>', 'items judged at once', concurrency, 8)
    .option('--json', 'print the fit as JSON')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      '\nExamples:\n  agon cascade fit --data labelled.jsonl --out cascade.json\n  agon cascade fit --data ' +
        'comments.csv --map text=comment,label=is_toxic --risk 0.02\n  agon run moderation --file items.jsonl ' +
        '--cascade cascade.json\n',
    )
    .action(async (flags: CascadeFitFlags) => {
      const { cascadeFitCommand } = await import('../commands/cascade-fit.ts');
      process.exitCode = await cascadeFitCommand(flags);
    });
}
