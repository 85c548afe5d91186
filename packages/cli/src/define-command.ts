import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LedgerFlags, OpenLedger } from './open-ledger.ts';
import { exitCodes, isExpected } from './print-error.ts';
import type { ItemsFlags } from './read-flags.ts';
import type { SettingsFlags } from './read-settings.ts';
import type { ConductFlags } from './runs/conduct-run.ts';
import { printNote } from './terminal/style.ts';

/* Flags that several commands share, and how their values are read. settings-flags.ts has those that are settings. */

/** How the help describes a run on the command line. */
export const runArgument = 'id of the run, its beginning, or its name (the newest run of that name)';

/** A flag that may be repeated: every value. */
export const collect = (value: string, previous: string[] = []) => [...previous, value];

/** A flag that takes a list: `a,b`. May be repeated. */
export const list = (value: string, previous: string[] = []) => [
  ...previous,
  ...value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
];

export function concurrency(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new InvalidArgumentError('Use a number from 1 to 9999.');
  return Number(value);
}

export function positive(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Use a whole number of at least 1.');
  return Number(value);
}

export function amount(value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('Use a number above 0.');
  return number;
}

/** A number from 0 to 1. */
export function degree(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!(number >= 0 && number <= 1)) throw new InvalidArgumentError('Use a number from 0 to 1.');
  return number;
}

/** A share between none and all: `0.05`, or `5%`. */
export function share(value: string): number {
  const number = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (!(number > 0 && number < 1)) throw new InvalidArgumentError('Use a share between 0 and 1: 0.05 or 5%.');
  return number;
}

/** A flag that takes one of some values, for `addOption`. */
export function choice(flag: string, help: string, values: readonly string[], usual?: string): Option {
  return new Option(flag, help).choices(values).default(usual);
}

export function addConfigFlag(command: Command): Command {
  return command.option(
    '--config <file>',
    'configuration file (default: agon.config.ts, .js, .json or .yaml in this folder)',
  );
}

/** For commands that read answers on record, which may be of a job that is not part of Agon. */
export function addModuleFlag(command: Command): Command {
  return command.option('--job <module>', 'module of the job, if it is one of your own (./my-job.ts)');
}

/** The flag of every command that judges: builds must not pass since there was nothing to judge. */
export interface EmptyFlags {
  allowEmpty?: boolean;
}

export function addEmptyFlag(command: Command): Command {
  return command.option('--allow-empty', 'end with code 0, and not with 4, where there is nothing to judge');
}

/** For every command that reads or writes the ledger. */
export function addLedgerFlag(command: Command): Command {
  return addPlaceFlag(command).option(
    '--team <name>',
    'team of the installation whose ledger and settings to use (default: AGON_TEAM, or none)',
  );
}

function addPlaceFlag(command: Command): Command {
  return command.option('--ledger <file>', 'ledger: a file or a postgres:// URL (default: ledger.sqlite in AGON_HOME)');
}

/** For commands that are about the installation itself, with all its teams. */
export function addInstallationFlags(command: Command): Command {
  return addConfigFlag(addPlaceFlag(command));
}

/** For every command that works on records in the ledger. */
export function addLedgerFlags(command: Command): Command {
  return addConfigFlag(addLedgerFlag(command));
}

/** For commands that judge: they can do without a ledger. */
export function addRecordFlags(command: Command): Command {
  return addLedgerFlag(command).option('--no-ledger', 'do not record anything');
}

/** What the items of a job look like, for the help. */
export interface ItemsHelp {
  map: string;
  labels: string;
  /** The files that items name; null where they name none. */
  root: string | null;
}

/** How a file of items is read. */
export function addItemsFlags(command: Command, { map, labels, root }: ItemsHelp): Command {
  command
    .addOption(
      choice('--format <format>', 'format of --file (default: by its name, or jsonl)', ['jsonl', 'csv', 'tsv']),
    )
    .option('--map <field=name,…>', `names of the fields in --file: ${map}`, list)
    .option('--map-label <value=label,…>', `meaning of the labels in --file: ${labels}`, list);
  return root === null
    ? command
    : command.option(
        '--root <folder>',
        `folder that ${root} paths are relative to; files outside it are not read (default: the folder of --file)`,
      );
}

export const orders = ['input', 'as-done'];

/** For commands that judge one subject, or with --file many. */
export function addJudgeFlags(command: Command, { notice, labels }: { notice: string; labels: string }): Command {
  return addEmptyFlag(addRecordFlags(command))
    .option('--out <results.jsonl>', 'write the results of --file here; an interrupted batch resumes from this file')
    .option('--concurrency <n>', 'items to judge at once with --file', concurrency, 8)
    .addOption(choice('--order <order>', 'order of the results of --file', orders, 'input'))
    .option('--json', 'print the complete answer as JSON')
    .option(
      '--report <file>',
      `write a report: .html, .md or .json; "notice" prints ${notice}; with --file .md, ` +
        `.xml (JUnit), .sarif, or "github" ` +
        'for annotations (repeatable)',
      collect,
    )
    .option('--fail-on <labels>', `exit with code 3 on these verdicts: ${labels}`, list)
    .option('-q, --quiet', 'print only the verdict');
}

/** For commands that carry out a run. */
export function addConductFlags(command: Command): Command {
  return addEmptyFlag(command)
    .option(
      '--out <results.jsonl>',
      'write results here as they arrive, one {line, key, result | error} per line (default: only to the ledger; a ' +
        'run that is resumed goes on in its file)',
    )
    .addOption(choice('--order <order>', 'order of the results in --out', orders, 'input'))
    .option('--concurrency <n>', 'items this process judges at once', concurrency, 8)
    .option('--fail-on <labels>', 'exit with code 3 if the run has any of these verdicts', list)
    .option('--json', 'print results as JSON to standard output (or --out), progress as JSON to standard error')
    .option('-q, --quiet', 'print no progress and no summary');
}

/** For commands that judge a past case again: its seats and its plan are on record. */
export function addRetrialFlags(command: Command): Command {
  return addLedgerFlags(addModuleFlag(command))
    .option('--cache <folder>', 'cache model answers in this folder')
    .option('--budget-usd <amount>', 'spend at most this much')
    .option('--json', 'print both outcomes, the differences and the new answer as JSON')
    .option('-q, --quiet', 'print no progress');
}

interface DataHelp {
  fields: string;
  map: string;
  labels: string;
}

/** For commands that read labelled data. */
export function addDataFlags(command: Command, { fields, map, labels }: DataHelp): Command {
  return command
    .requiredOption(
      '--data <items.jsonl>',
      `labelled items, one JSON object per line (${fields}) (repeatable)`,
      collect,
    )
    .option('--map <field=name,…>', `names of the fields in the data: ${map}`, list)
    .option('--map-label <value=label,…>', `meaning of the labels in the data: ${labels}`, list)
    .option('--limit <n>', 'read only the first n items of each file', positive)
    .option('--concurrency <n>', 'items to judge at once', concurrency, 8)
    .option('-q, --quiet', 'print no progress');
}

/** The same for data with texts and images. */
export function addContentDataFlags(command: Command): Command {
  return addDataFlags(command, {
    fields: '"id", "label", "text", "image", "image_description"',
    map: 'text=comment,label=is_toxic',
    labels: 'hateful=unsafe,fine=safe',
  })
    .option('--root <folder>', "folder that image paths are relative to (default: the file's folder)")
    .option('--vision', 'look at images even if the data describes them');
}

/** Adds flags, help and action to a command that has only a name. */
export type DefineCommand = (command: Command) => void | Promise<void>;

/** Runs `action` with the arguments and flags of the command. What it returns is the exit code; without one, 0. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the flags' types are the command's own
export function setAction<Given extends unknown[]>(
  command: Command,
  action: (...given: Given) => Promise<number | void> | number,
): void {
  command.action(async (...given: unknown[]) => {
    // Commander hands over what was declared: arguments, then flags, then the command itself.
    try {
      process.exitCode = (await action(...(given as Given))) ?? 0;
    } catch (error) {
      if (!isExpected(error, given.at(-2) as EmptyFlags)) throw error;
      printNote(error.message);
      process.exitCode = exitCodes.judged;
    }
  });
}

/** The same while the ledger is open that the flags name. Only with `create` it is made where there is none. */
export function setLedgerAction(
  command: Command,
  action: (open: OpenLedger, ...given: never[]) => Promise<number | void>,
  options: { create?: boolean } = {},
): void {
  setAction(command, async (...args: never[]) => {
    const { withLedger } = await import('./open-ledger.ts');
    const flags = (args as unknown[]).at(-2) as LedgerFlags;
    return withLedger(flags, (ledger, given) => action({ ledger, ...given }, ...args), options);
  });
}

/** Ends the help with examples, and with a note where there is more to know. */
export function addExamples(command: Command, examples: readonly string[], note?: string): void {
  const lines = examples.map((example) => `  ${example}`).join('\n');
  command.addHelpText('after', foldHelp(`\nExamples:\n${lines}\n${note === undefined ? '' : `\n${note}\n`}`));
}

const helpWidth = 80;

/** Help with no line wider than a terminal: prose breaks between words, commands (indented) where a shell reads on. */
export function foldHelp(help: string): string {
  return help.split('\n').flatMap(foldLine).join('\n');
}

function foldLine(line: string): string[] {
  if (line.length <= helpWidth) return [line];
  const [words, end, indent] = line.startsWith('  ')
    ? // Bounded: examples of our own.
      ([line.match(/ *(?:"[^"]*"|'[^']*'|[^\s"'])+/g)!, ' \\', '      '] as const)
    : ([line.split(/(?= )/), '', ''] as const);
  const lines = [''];
  for (const word of words) {
    if (lines.at(-1)!.length + word.length + end.length > helpWidth) {
      lines[lines.length - 1] += end;
      lines.push(`${indent}${word.trimStart()}`);
    } else lines[lines.length - 1] += word;
  }
  return lines;
}

/** The flags of `agon run`, whatever the job. */
export interface RunFlags extends ConductFlags, ItemsFlags, SettingsFlags {
  file: string;
  name?: string;
  attempts: number;
  /** True without a file. */
  cascade?: string | true;
  risk?: number;
  confidence?: number;
  /** True without a number. */
  estimate?: number | true;
  detach?: boolean;
  evaluatedModel?: string;
  /** Where records come from for as long as they come. */
  follow?: string;
  deadLetters?: string;
}

interface RunHelp extends ItemsHelp {
  fields: string;
}

export function addRunFlags(command: Command, { fields, map, labels, root }: RunHelp): void {
  command
    .option(
      '--file <items.jsonl>',
      `items, one JSON object per line (${fields}), or CSV with these columns; - reads standard input`,
    )
    .option(
      '--follow <stream>',
      'instead of --file, judge items as they come, and go on where it stopped: a file that grows, - for standard ' +
        'input, kafka://HOST:9092/TOPIC?group=GROUP, or postgres://HOST/DATABASE?table=TABLE; --out takes the same',
    )
    .option('--dead-letters <stream>', 'with --follow: where items go, too, that could not be judged');
  addItemsFlags(command, { map, labels, root })
    .option('--name <name>', 'name of the run, for `agon runs resume NAME`')
    .option('--attempts <n>', 'attempts before an item fails', positive, 3)
    .option('--estimate [items]', 'estimate the price of the run from a sample of items, and start nothing', positive)
    .option('--detach', 'with PostgreSQL: load the items and leave them to `agon worker`');
  addLedgerFlag(command);
  // Hidden, for those used to it from other commands: it is refused with a reason.
  command.addOption(new Option('--no-ledger').hideHelp());
  addConductFlags(command);
}

export function addCascadeFlags(command: Command): void {
  command
    .option(
      '--cascade [file]',
      'let the embedded guard decide clear items and debate the rest: bounds made by `agon cascade fit`, or labelled ' +
        'data to fit them on (default: decisions in the ledger)',
    )
    .option('--risk <share>', 'allow at most this share of wrong guard verdicts (default: 0.05)', share)
    .option('--confidence <share>', 'confidence of the bound (default: 0.95)', share);
}
