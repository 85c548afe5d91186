import { Option, type Command } from 'commander';
import type { InputFormat } from '../../items/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addConductFlags, addLedgerFlag, list, positive, share } from '../flags.ts';
import type { NamesFlags } from '../read-flags.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import type { ConductFlags } from './conduct-run.ts';

/** The flags of `agon run`, whatever the job. */
export interface RunFlags extends ConductFlags, NamesFlags, SettingsFlags {
  file: string;
  format?: InputFormat;
  name?: string;
  root?: string;
  attempts: number;
  /** True without a file. */
  cascade?: string | true;
  risk?: number;
  confidence?: number;
  /** True without a number. */
  estimate?: number | true;
  detach?: boolean;
}

export type RunEvaluationFlags = RunFlags & { evaluatedModel?: string };

/** `agon run moderation|evaluation|documents` */
export function define(command: Command): void {
  command.description(
    'Judge many items with one configuration. The ledger records a run while it goes on: a stopped or killed run ' +
      'resumes where it was. With PostgreSQL, workers on other machines help.',
  );
  addExamples(
    command,
    [
      'agon run moderation --file comments.csv --map text=comment --name nightly',
      'agon run moderation --file items.jsonl --out results.jsonl --concurrency 32',
      'cat items.jsonl | agon run moderation --file - --run-budget-usd 20',
      'agon run evaluation --file exchanges.jsonl --requests-per-minute 500',
      'agon run documents --file reports.csv --estimate',
      'agon runs resume nightly',
    ],
    'To list, show, resume and export runs, use `agon runs`.',
  );
  defineModeration(command.command('moderation'));
  defineEvaluation(command.command('evaluation'));
  defineDocuments(command.command('documents'));
}

function defineModeration(command: Command): void {
  command.description('Judge texts and images: safe, unsafe or undecided.');
  addRunFlags(command, {
    fields: '"id", "text", "image", "image_description", "label"',
    map: 'text=comment,label=is_toxic',
    labels: 'hateful=unsafe,fine=safe',
    root: 'image',
  });
  addCascadeFlags(command);
  addSettingsFlags(command, { kind: 'run', job: 'moderation' });
  addExamples(command, [
    'agon run moderation --file items.jsonl --out results.jsonl',
    'agon run moderation --file comments.csv --map text=comment,label=is_toxic --cascade',
    'agon run moderation --file items.jsonl --model openai:gpt-4o-mini --estimate 100',
  ]);
  setAction(command, async (flags: RunFlags) => {
    const { runModeration } = await import('./start-run.ts');
    return runModeration(flags);
  });
}

function defineEvaluation(command: Command): void {
  command.description('Judge exchanges (prompt and response) of a model: safe, unsafe or undecided.');
  addRunFlags(command, {
    fields: '"id", "model", "prompt" and "response" or "messages", "label"; also promptfoo results and Inspect logs',
    map: 'response=answer',
    labels: 'hateful=unsafe,fine=safe',
    root: null,
  });
  addCascadeFlags(command);
  addSettingsFlags(command, { kind: 'run', job: 'evaluation' });
  command.option('--evaluated-model <name>', 'model that answered, for items that do not name it');
  addExamples(command, [
    'agon run evaluation --file exchanges.jsonl --out results.jsonl',
    'agon run evaluation --file promptfoo-results.json --evaluated-model openai:gpt-5',
  ]);
  setAction(command, async (flags: RunEvaluationFlags) => {
    const { runEvaluation } = await import('./start-run.ts');
    return runEvaluation(flags);
  });
}

function defineDocuments(command: Command): void {
  command.description('Judge the claims of many reports. The files of one item are analyzed together.');
  addRunFlags(command, {
    fields: '"id", "file" or "files" that belong together, "claims" of your own; or just one path per line',
    map: 'file=path',
    labels: 'good=positive,bad=negative',
    root: 'document',
  });
  addSettingsFlags(command, { kind: 'run', job: 'documents' });
  addExamples(command, [
    'agon run documents --file reports.jsonl --out results.jsonl',
    'ls reports/*.pdf | agon run documents --file -',
  ]);
  setAction(command, async (flags: RunFlags) => {
    const { runDocuments } = await import('./start-run.ts');
    return runDocuments(flags);
  });
}

/** What the items of a job look like, for the help. */
interface ItemsHelp {
  fields: string;
  map: string;
  labels: string;
  /** The files that items name; null where they name none. */
  root: string | null;
}

function addRunFlags(command: Command, { fields, map, labels, root }: ItemsHelp): void {
  command
    .requiredOption(
      '--file <items.jsonl>',
      `items, one JSON object per line (${fields}), or CSV with these columns; - reads standard input`,
    )
    .addOption(
      new Option('--format <format>', 'format of the input (default: by its name, or jsonl)').choices([
        'jsonl',
        'csv',
        'tsv',
      ]),
    )
    .option('--map <field=name,…>', `names of the fields in the input: ${map}`, list)
    .option('--map-label <value=label,…>', `meaning of the labels in the input: ${labels}`, list)
    .option('--name <name>', 'name of the run, for `agon runs resume NAME`')
    .option('--attempts <n>', 'attempts before an item fails', positive, 3)
    .option('--estimate [items]', 'estimate the price of the run from a sample of items, and start nothing', positive)
    .option('--detach', 'with PostgreSQL: load the items and leave them to `agon worker`');
  if (root !== null)
    command.option(
      '--root <folder>',
      `folder that ${root} paths are relative to; files outside it are not read (default: the folder of --file)`,
    );
  addLedgerFlag(command);
  // Hidden, for those used to it from other commands: it is refused with a reason.
  command.addOption(new Option('--no-ledger').hideHelp());
  addConductFlags(command);
}

function addCascadeFlags(command: Command): void {
  command
    .option(
      '--cascade [file]',
      'let the embedded guard decide clear items and debate the rest: bounds made by `agon cascade fit`, or labelled ' +
        'data to fit them on (default: decisions in the ledger)',
    )
    .option('--risk <share>', 'allow at most this share of wrong guard verdicts (default: 0.05)', share)
    .option('--confidence <share>', 'confidence of the bound (default: 0.95)', share);
}
