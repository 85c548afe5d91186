import { Option, type Command } from 'commander';
import { z } from 'zod';
import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import type { CommandKind } from '@agonhq/engine/setting';
import { createJobs, type Job, type Jobs } from '@agonhq/judges/job';
import { embeddedModel } from '@agonhq/models/reasoners/embedded';
import { ownBlocks } from '@agonhq/core/own-blocks';
import {
  listSettings,
  placeValue,
  readSettings,
  readTextSetting,
  type SettingRow,
  type Settings,
} from '@agonhq/core/settings';
import { addConfigFlag, collect, list } from './define-command.ts';

/* Flags that stand for settings: which there are, the table of settings says. read-settings.ts reads their values. */

/** Which command of a job takes the flags, and which settings it leaves out. */
export interface SettingsSelection {
  kind: 'judge' | 'run' | 'bench';
  job: Job;
  without?: readonly string[];
}

/** The options of a command that judges by a job. */
export function selectOptions({ kind, job, without = [] }: SettingsSelection): SettingOption[] {
  return listOptions(createJobs([job]), kind, job).filter(({ row }) => row === null || !without.includes(row.path));
}

/** For commands that judge by a job: its own settings, its seats, and what all jobs have in common. */
export function addSettingsFlags(command: Command, selection: SettingsSelection): Command {
  return addOptions(addConfigFlag(command), selectOptions(selection));
}

/** For commands that take any job: the flags of the one that --job names on the command line. */
export async function addJobFlags(command: Command, kind: SettingsSelection['kind']): Promise<Job | null> {
  command.option('--job <job>', 'job to judge by: an id, or a module that exports one (./my-job.ts)');
  const name = findFlag('--job');
  const { loadJob } = await import('./read-settings.ts');
  const job = name === undefined ? null : await loadJob(name, findFlag('--config'));
  addOptions(addConfigFlag(command), listOptions(createJobs(job ? [job] : [], ownBlocks), kind, job));
  return job;
}

function findFlag(flag: string): string | undefined {
  const at = process.argv.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (at === -1) return undefined;
  const arg = process.argv[at]!;
  return arg === flag ? process.argv[at + 1] : arg.slice(flag.length + 1);
}

/** For commands that serve every job. */
export function addServiceFlags(command: Command, kind: 'serve' | 'mcp', policy: string): Command {
  const options = listOptions(createJobs([], ownBlocks), kind, null);
  return addOptions(
    command,
    options.map((option) => (option.row?.path === 'policy' ? { ...option, help: policy } : option)),
  );
}

/** For commands that judge cases or carry out runs again: seats and plan are those on record. */
export function addSpendingFlags(command: Command, { item, total }: { item: string; total: string }): Command {
  return command.option('--budget-usd <amount>', item).option('--run-budget-usd <amount>', total);
}

/** How fast a run may go and what it may spend, beyond the budgets in US dollars. */
export function addLimitFlags(command: Command): Command {
  return addOptions(command, listOptions(createJobs([]), 'resume', null));
}

function addOptions(command: Command, options: readonly SettingOption[]): Command {
  for (const { flag, help, choices, takes } of options) {
    const option = new Option(flag, help);
    if (choices) option.choices(choices);
    if (takes !== 'one') option.argParser(takes === 'list' ? list : collect);
    command.addOption(option);
  }
  return command;
}

/** A setting as the command line takes it. */
export interface SettingOption {
  /** Null for --seat, which names any of the seats. */
  row: SettingRow | null;
  /** As commander reads it: `--rounds <n>`. */
  flag: string;
  help: string;
  choices?: readonly string[];
  /** `list`: values with commas, also in several flags. `several`: one value in each of several flags. */
  takes: 'one' | 'list' | 'several';
  /** Where commander puts its value: `maxFactors` of `--max-factors`. */
  attribute: string;
}

const judging: readonly CommandKind[] = ['judge', 'run', 'bench'];
/** The name by which a single judge with Agon's own model goes among the methods. */
const guard = 'guard';

/** The flags of a command that stand for settings: for one job, or for all where it is null. */
export function listOptions(jobs: Jobs, kind: CommandKind, job: Job | null): SettingOption[] {
  const options = listSettings(jobs).flatMap((row) => listFlags(row, kind, job));
  return judging.includes(kind) || kind === 'serve' || kind === 'mcp' ? [...options, makeSeatOption(job)] : options;
}

function listFlags(row: SettingRow, kind: CommandKind, job: Job | null): SettingOption[] {
  const { path, notes } = row;
  const flag = notes.flag ?? nameSeatFlag(path, kind, job);
  const isOthers = row.job !== null && row.job !== job?.id;
  const needsPolicy = path === 'policy' || path === 'calibration' || path === 'sensitivity';
  const commands = notes.commands ?? (notes.flag === undefined ? [kind] : judging);
  if (flag === undefined || isOthers || !commands.includes(kind) || (needsPolicy && job?.usesPolicy === false))
    return [];
  return [
    {
      row,
      flag,
      help: describeOption(row, job),
      ...listChoices(row),
      takes: takesList(row) ? 'list' : 'one',
      attribute: nameAttribute(flag),
    },
  ];
}

/** A seat has a flag where its job says what its model does; where all jobs are served, when others fall back to it. */
function nameSeatFlag(path: string, kind: CommandKind, job: Job | null): string | undefined {
  const [group, name = ''] = path.split('.');
  if (group !== 'seats' || kind === 'resume' || kind === 'ledger') return undefined;
  const seat = job?.seats[name];
  const isNamed = job ? seat?.help !== undefined : name === 'arbiter';
  return isNamed ? `--${name} <provider:model${seat?.several ? ',…' : ''}>` : undefined;
}

function makeSeatOption(job: Job | null): SettingOption {
  const seats = job ? `: ${Object.keys(job.seats).join(', ')}` : '';
  return {
    row: null,
    flag: '--seat <seat=provider:model>',
    help: `model of one seat${seats} (repeatable)`,
    takes: 'several',
    attribute: 'seat',
  };
}

function describeOption({ path, notes, type }: SettingRow, job: Job | null): string {
  const [group, name = ''] = path.split('.');
  if (job && path === 'seats.debaters') return `model of ${listDebaters(job)}`;
  if (group === 'seats' && job?.seats[name]?.help !== undefined) return job.seats[name].help;
  const help = notes.flagHelp ?? `${notes.help}${describeRange(type)}`;
  const isSaid = notes.default === undefined || notes.flag?.startsWith('--no-') || /\(default: /.test(help);
  return isSaid || unspoken.test(notes.default!) ? help : `${help} (default: ${notes.default})`;
}

/** Defaults that a help leaves out: nobody would expect another. */
const unspoken = /^(false|none|no limit|that of .*)$/;

/** `, 1 to 3` for a number between bounds. */
function describeRange(type: z.ZodType): string {
  if (!(type instanceof z.ZodNumber) || !Number.isSafeInteger(type.maxValue) || type.maxValue! > 1_000) return '';
  return `, ${type.minValue} to ${type.maxValue}`;
}

function listDebaters({ seats }: Job): string {
  const names = Object.keys(seats).filter((name) => seats[name]!.fallsBackTo.includes('debaters'));
  return names.length < 2 ? (names[0] ?? 'no seat') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

function listChoices({ path, type }: SettingRow): { choices?: readonly string[] } {
  if (!(type instanceof z.ZodEnum) || /\.(preset|turns)$/.test(path)) return {};
  const values = type.options.map(String);
  const isMethod = path.endsWith('.method');
  return { choices: values.flatMap((value) => (isMethod && value === 'judge' ? [value, guard] : [value])) };
}

function takesList({ type }: SettingRow): boolean {
  return (
    type instanceof z.ZodArray || (type instanceof z.ZodUnion && type.options.some((one) => one instanceof z.ZodArray))
  );
}

/** `--max-factors <n>` is `maxFactors`, `--no-ocr` is `ocr`. */
function nameAttribute(flag: string): string {
  return flag
    .replace(/^--(no-)?/, '')
    .split(/[ ,]/)[0]!
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The settings that flags give, as commander hands them over; a mistake is named by its flag. */
export function settingsFromFlags(jobs: Jobs, flags: object, options: readonly SettingOption[]): Settings {
  const given: Record<string, unknown> = {};
  const names = new Map<string, string>();
  for (const option of options) {
    const value: unknown = Reflect.get(flags, option.attribute);
    const flag = option.flag.split(' ')[0]!;
    for (const [path, set] of readFlag(jobs, option, value)) {
      placeValue(given, path, set);
      names.set(path, option.row === null ? `--seat ${path.slice('seats.'.length)}` : flag);
    }
  }
  const nameFlag = (path: string) =>
    [...names].find(([at]) => path === at || path.startsWith(`${at}.`))?.[1] ?? (path === 'seats' ? '--seat' : path);
  try {
    return readSettings(jobs, given, 'flags', nameFlag);
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    throw new AgonError('bad-flag', error.message.replace(/^flags: /, ''), hintFor(error, 'cli'), { cause: error });
  }
}

/** What a flag sets: by place, the value. */
function readFlag(jobs: Jobs, { row, flag }: SettingOption, value: unknown): [path: string, value: unknown][] {
  if (value === undefined) return [];
  if (row === null) return readSeats(jobs, value);
  // Commander says true where --no-… was not given.
  if (flag.startsWith('--no-')) return value === false ? [[row.path, false]] : [];
  if (value === guard && row.path.endsWith('.method'))
    return [
      [row.path, 'judge'],
      ['seats.judge', embeddedModel],
    ];
  if (typeof value === 'string') return [[row.path, readTextSetting(row, value)]];
  if (Array.isArray(value) && row.type instanceof z.ZodUnion)
    return [[row.path, value.length === 1 ? value[0] : value]];
  return [[row.path, value]];
}

function readSeats(jobs: Jobs, pairs: unknown): [path: string, value: unknown][] {
  const seats = new Map(listSettings(jobs).map((row) => [row.path, row]));
  return z
    .array(z.string())
    .parse(pairs)
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1)
        throw new AgonError(
          'bad-flag',
          `--seat ${pair} does not say which model sits there.`,
          'Write --seat arbiter=openai:gpt-4o.',
        );
      const [path, model] = [`seats.${pair.slice(0, at)}`, pair.slice(at + 1)];
      const row = seats.get(path);
      return [path, row ? readTextSetting(row, model) : model];
    });
}
