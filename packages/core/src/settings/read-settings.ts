import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import { unwrapType } from '@agonhq/engine/setting';
import { listSettings, settingsSchema, type Settings, placeValue, readTextSetting } from './table.ts';

/** Validates one layer of settings; a mistake is named by its key, where it was written, and the fix. */
export function readSettings(
  jobs: Jobs,
  value: unknown,
  origin: string,
  namePlace: (path: string) => string = (path) => path,
): Settings {
  const parsed = settingsSchema(jobs).safeParse(value);
  if (parsed.success) return value as Settings;
  const [issue] = parsed.error.issues;
  const path = issue!.path.join('.');
  const reason = describeIssue(jobs, issue!).replace(/\.$/, '');
  throw new AgonError(
    'bad-settings',
    `${origin}: ${path ? `${namePlace(path)}: ` : ''}${reason}.`,
    giveHint(jobs, issue!),
  );
}

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  object: 'a group of settings',
  record: 'a group of settings',
  array: 'a list',
};

const quoteAll = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');

function describeIssue(jobs: Jobs, issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `there is no setting ${quoteAll(issue.keys)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${quoteAll(issue.values)}`;
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_key':
      return issue.issues[0]!.message;
    case 'invalid_union':
      return `must be ${findValues(jobs, issue.path) ?? 'false, or a group of settings'}`;
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      return issue.message;
  }
}

/** What a setting takes, in words. */
function findValues(jobs: Jobs, path: readonly PropertyKey[]): string | undefined {
  return listSettings(jobs).find((row) => row.path === path.join('.'))?.notes.values;
}

function giveHint(jobs: Jobs, issue: z.core.$ZodIssue): string {
  const [group] = issue.path;
  if (issue.code === 'unrecognized_keys') return `Known here: ${listKnownKeys(jobs, issue.path).join(', ')}.`;
  if (issue.code === 'invalid_key' && group === 'models')
    return 'Models are named provider:model, for example openai:gpt-4o-mini or ollama:llama3.1.';
  if (group === 'seats') return 'Seats take provider:model, for example openai:gpt-4o-mini or ollama:llama3.1.';
  return 'docs/configuration.md lists every setting with its values.';
}

/** The names that the settings have at a place: by walking the schema down to it. */
function listKnownKeys(jobs: Jobs, path: readonly PropertyKey[]): string[] {
  const schema = path.reduce<unknown>((outer, key) => {
    const group = findGroup(outer);
    return group instanceof z.ZodObject
      ? group.shape[String(key)]
      : group instanceof z.ZodRecord
        ? group.valueType
        : undefined;
  }, settingsSchema(jobs));
  const here = findGroup(schema);
  return here instanceof z.ZodObject ? Object.keys(here.shape) : ['see docs/configuration.md'];
}

/** The group of settings that a type is, or has among its alternatives. */
function findGroup(type: unknown): unknown {
  const own = type instanceof z.ZodType ? unwrapType(type) : type;
  return own instanceof z.ZodUnion ? own.options.find((option) => option instanceof z.ZodObject) : own;
}

type Environment = Record<string, string | undefined>;

/** The settings that the environment gives. An empty variable counts as absent. */
export function settingsFromEnvironment(jobs: Jobs, environment: Environment): Settings {
  const given: Record<string, unknown> = {};
  const used = new Map<string, string>();
  for (const row of listSettings(jobs)) {
    const name = row.variables.find((variable) => environment[variable]);
    if (name === undefined) continue;
    used.set(row.path, name);
    placeValue(given, row.path, readTextSetting(row, environment[name]!));
  }
  const nameVariable = (path: string) =>
    [...used].find(([place]) => path === place || path.startsWith(`${place}.`))?.[1] ?? path;
  return readSettings(jobs, given, 'environment', nameVariable);
}

/** Keys and folders stay, what would set something goes: for work whose settings are on record already. */
export function withoutSettings(jobs: Jobs, environment: Environment): Environment {
  const set = new Set(listSettings(jobs).flatMap(({ variables }) => variables));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !set.has(name)));
}

/** One layer over another: objects are merged key by key, everything else is replaced. The later is the stronger. */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  return layers.reduce<Settings>((below, above) => merge(below, above) as Settings, {});
}

function merge(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (!isPlainObject(below) || !isPlainObject(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(below[key], above[key])]));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * How models are reached, limited, paid and watched: in the words of settings, since those of the reasoners would
 * bring the providers' types with them.
 */
type LlmPart = Pick<Settings, 'providers' | 'models' | 'defaults' | 'cache' | 'budget' | 'local' | 'telemetry'>;

/** Of all settings those that concern models. */
export function llmSettingsOf({ providers, models, defaults, cache, budget, local, telemetry }: Settings): LlmPart {
  return { providers, models, defaults, cache, budget, local, telemetry };
}
