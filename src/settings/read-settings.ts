import { z } from 'zod';
import { AgonError } from '../errors.ts';
import { unwrapType } from '../setting.ts';
import { listSettings, settingsSchema, type Settings } from './table.ts';

/** Validates one layer of settings; a mistake is named by its key, where it was written, and the fix. */
export function readSettings(
  value: unknown,
  origin: string,
  namePlace: (path: string) => string = (path) => path,
): Settings {
  const parsed = settingsSchema().safeParse(value);
  if (parsed.success) return value as Settings;
  const [issue] = parsed.error.issues;
  const path = issue!.path.join('.');
  const reason = describeIssue(issue!).replace(/\.$/, '');
  throw new AgonError('bad-settings', `${origin}: ${path ? `${namePlace(path)}: ` : ''}${reason}.`, giveHint(issue!));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `there is no setting ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_type':
      return `must be ${{ int: 'a whole number', object: 'a group of settings', array: 'a list', record: 'a group of settings' }[issue.expected as string] ?? `a ${issue.expected}`}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_key':
      return issue.issues[0]!.message;
    case 'invalid_union':
      return `must be ${findValues(issue.path) ?? 'false, or a group of settings'}`;
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      return issue.message;
  }
}

/** What a setting takes, in words. */
function findValues(path: readonly PropertyKey[]): string | undefined {
  return listSettings().find((row) => row.path === path.join('.'))?.notes.values;
}

function giveHint(issue: z.core.$ZodIssue): string {
  const [group] = issue.path;
  if (issue.code === 'unrecognized_keys') return `Known here: ${listKnownKeys(issue.path).join(', ')}.`;
  if (issue.code === 'invalid_key' && group === 'models')
    return 'Models are named provider:model, for example openai:gpt-4o-mini or ollama:llama3.1.';
  if (group === 'seats') return 'Seats take provider:model, for example openai:gpt-4o-mini or ollama:llama3.1.';
  return 'docs/configuration.md lists every setting with its values.';
}

/** The names that the settings have at a place: by walking the schema down to it. */
function listKnownKeys(path: readonly PropertyKey[]): string[] {
  const schema = path.reduce<unknown>((outer, key) => {
    const group = findGroup(outer);
    return group instanceof z.ZodObject
      ? group.shape[String(key)]
      : group instanceof z.ZodRecord
        ? group.valueType
        : undefined;
  }, settingsSchema());
  const here = findGroup(schema);
  return here instanceof z.ZodObject ? Object.keys(here.shape) : ['see docs/configuration.md'];
}

/** The group of settings that a type is, or has among its alternatives. */
function findGroup(type: unknown): unknown {
  const own = type instanceof z.ZodType ? unwrapType(type) : type;
  return own instanceof z.ZodUnion ? own.options.find((option) => option instanceof z.ZodObject) : own;
}
