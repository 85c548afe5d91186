import { Option, type Command } from 'commander';
import type { RunDocumentsFlags, RunEvaluationFlags, RunModerationFlags } from '../run-flags.ts';
import { list, positive, withDocuments, withEvaluation, withLedger, withModeration } from '../option-groups.ts';
import { share, withConduct, withLimits } from '../run-options.ts';

/** Many subjects through one configuration, on record from the first item on. */
export function addRun(program: Command): void {
  const run = program
    .command('run')
    .summary('judge many items: a run that survives anything and can be resumed')
    .description(
      'Judge many items through one configuration. A run is kept in the ledger while it goes on: stopped or ' +
        'killed, it is resumed where it was; with PostgreSQL, workers on other machines help.',
    )
    .addHelpText('after', `${examples}\nLook at runs, resume and export them with \`agon runs\`.\n`);
  addModeration(run);
  addEvaluation(run);
  addDocuments(run);
}

const examples = `
Examples:
  agon run moderation --file comments.csv --map text=comment --name nightly
  agon run moderation --file items.jsonl --out results.jsonl --concurrency 32
  cat items.jsonl | agon run moderation --file - --run-budget-usd 20
  agon run evaluation --file exchanges.jsonl --requests-per-minute 500
  agon run documents --file reports.csv --estimate
  agon runs resume nightly
`;

function addModeration(run: Command): void {
  const command = run.command('moderation').description('Judge texts and images: safe, unsafe or undecided.');
  withModeration(
    withCascade(
      withRun(command, {
        fields: '"id", "text", "image", "image_description", "label"',
        map: 'text=comment,label=is_toxic',
        root: 'image',
      }),
    ),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon run moderation --file items.jsonl --out results.jsonl\n  agon run moderation --file ' +
        'comments.csv --map text=comment,label=is_toxic --cascade\n  agon run moderation --file items.jsonl --model ' +
        'openai:gpt-4o-mini --estimate 100\n',
    )
    .action(async (flags: RunModerationFlags) => {
      const { runModerationCommand } = await import('../commands/run.ts');
      process.exitCode = await runModerationCommand(flags);
    });
}

function addEvaluation(run: Command): void {
  const command = run
    .command('evaluation')
    .description('Judge exchanges (prompt, response) of a target model: safe, unsafe or undecided.');
  withEvaluation(
    withCascade(
      withRun(command, {
        fields:
          '"id", "model", "prompt" and "response" or "messages", "label"; results of promptfoo and logs of Inspect too',
        map: 'response=answer',
        root: null,
      }),
    ),
  )
    .option('--evaluated-model <name>', 'the model that answered, where an item does not say')
    .addOption(
      new Option('--evaluator <name>', 'how it is judged (default: debate)').choices([
        'debate',
        'vote',
        'role-free',
        'judge',
        'guard',
      ]),
    )
    .option('--rounds <n>', 'rounds of debate, 1 to 10 (default: 3)')
    .option('--agents <n>', 'auditors and detectors, 1 to 3 of each (default: as many as models are named)')
    .addHelpText(
      'after',
      '\nExamples:\n  agon run evaluation --file exchanges.jsonl --out results.jsonl\n  agon run evaluation ' +
        '--file promptfoo-results.json --evaluated-model openai:gpt-5\n',
    )
    .action(async (flags: RunEvaluationFlags) => {
      const { runEvaluationCommand } = await import('../commands/run.ts');
      process.exitCode = await runEvaluationCommand(flags);
    });
}

function addDocuments(run: Command): void {
  const command = run.command('documents').description('Judge the claims of many reports, each item one dossier.');
  withDocuments(
    withRun(command, {
      fields: '"id", "file" or "files" that belong together, "claims" of your own; or just a path a line',
      map: 'file=path',
      root: 'document',
    }),
  )
    .option('--max-factors <n>', 'at most so many claims of each dossier (default: 12)')
    .addOption(
      new Option('--method <name>', 'how claims are judged (default: debate)').choices([
        'debate',
        'single',
        'vote',
        'control',
        'zero-shot',
      ]),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  agon run documents --file reports.jsonl --out results.jsonl\n  ls reports/*.pdf | agon run ' +
        'documents --file -\n',
    )
    .action(async (flags: RunDocumentsFlags) => {
      const { runDocumentsCommand } = await import('../commands/run.ts');
      process.exitCode = await runDocumentsCommand(flags);
    });
}

/** What the items of a job look like, for the help. */
interface ItemWords {
  fields: string;
  map: string;
  /** The files that items name; null where they name none. */
  root: string | null;
}

function withRun(command: Command, { fields, map, root }: ItemWords): Command {
  command
    .requiredOption(
      '--file <items.jsonl>',
      `the items, one JSON object a line (${fields}), or CSV with these columns; - for standard input`,
    )
    .addOption(
      new Option('--format <format>', 'what the input is (default: as its name says, else jsonl)').choices([
        'jsonl',
        'csv',
        'tsv',
      ]),
    )
    .option('--map <field=name,…>', `what the input calls our fields: ${map}`, list)
    .option(
      '--map-label <value=label,…>',
      `what the labels of the input mean: ${root === 'document' ? 'good=positive,bad=negative' : 'hateful=unsafe,fine=safe'}`,
      list,
    )
    .option('--name <name>', 'what the run is called: `agon runs resume NAME`')
    .option('--attempts <n>', 'how often an item is tried before it is set aside', positive, 3)
    .option('--estimate [items]', 'price the run from a sample of its items, and start nothing', positive)
    .option('--detach', 'with PostgreSQL: read the items in and leave them to `agon worker`');
  if (root !== null)
    command.option(
      '--root <folder>',
      `what ${root} paths are relative to, and nothing outside of which is read (default: the file's folder)`,
    );
  // Said here for whoever is used to it from other commands; refused with the reason.
  return withLimits(withConduct(withLedger(command).addOption(new Option('--no-ledger').hideHelp())));
}

function withCascade(command: Command): Command {
  return command
    .option(
      '--cascade [file]',
      'let the embedded guard decide what is clear, and debate the rest: bounds that `agon cascade fit` wrote, or ' +
        'labelled data to fit them on (default: what people decided in the ledger)',
    )
    .option('--risk <share>', 'at most this share of what the guard decides may be wrong (default: 0.05)', share)
    .option('--confidence <share>', 'with this confidence (default: 0.95)', share);
}
