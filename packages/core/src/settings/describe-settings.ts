import { isDeepStrictEqual } from 'node:util';
import type { Jobs } from '@agonhq/judges/job';
import { listSettings, readTextSetting, type SettingRow, type Settings } from './table.ts';

/** A setting with what holds: for people, without any secret. */
export interface DescribedSetting {
  /** `moderation.rounds` */
  path: string;
  help: string;
  /** As it was set; undefined where nobody did. */
  value: unknown;
  /** What holds where it is not set, in words. */
  default: string | null;
  source: 'environment' | 'settings' | 'default';
  /** The environment variable that set it. */
  variable: string | null;
}

/** Every setting of the table. `settings`: in the file or by a flag, which are one by the time they are in force. */
export function describeSettings(
  jobs: Jobs,
  settings: Settings,
  environment: Record<string, string | undefined>,
): DescribedSetting[] {
  return listSettings(jobs).map((row) => {
    const { path, notes } = row;
    const value = findValue(settings, path);
    const variable = value === undefined ? null : findVariable(row, value, environment);
    return {
      path,
      help: notes.help,
      value: hideSecrets(path, value),
      default: notes.default ?? null,
      source: value === undefined ? 'default' : variable === null ? 'settings' : 'environment',
      variable,
    };
  });
}

function findValue(settings: Settings, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (group, name) => (typeof group === 'object' && group !== null ? Reflect.get(group, name) : undefined),
      settings,
    );
}

/** A flag or another layer may have been stronger than the variable. */
function findVariable(row: SettingRow, value: unknown, environment: Record<string, string | undefined>): string | null {
  const variable = row.variables.find((name) => environment[name]);
  return variable !== undefined && isDeepStrictEqual(readTextSetting(row, environment[variable]!), value)
    ? variable
    : null;
}

/** Jobs of one's own may have settings of any kind. */
function hideSecrets(path: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (/secret|password|credential|api_?key|token$/i.test(path)) return '…';
  return typeof value === 'string' ? value.replace(/^(\w+:\/\/)[^/@\s]*@/, '$1…@') : value;
}
