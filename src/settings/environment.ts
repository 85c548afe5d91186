import { readSettings } from './read-settings.ts';
import { listSettings, placeValue, readText, type Settings } from './table.ts';

type Environment = Record<string, string | undefined>;

/** The settings that the environment gives. An empty variable counts as absent. */
export function settingsFromEnvironment(environment: Environment): Settings {
  const given: Record<string, unknown> = {};
  const used = new Map<string, string>();
  for (const row of listSettings()) {
    const name = row.variables.find((variable) => environment[variable]);
    if (name === undefined) continue;
    used.set(row.path, name);
    placeValue(given, row.path, readText(row, environment[name]!));
  }
  const nameVariable = (path: string) =>
    [...used].find(([place]) => path === place || path.startsWith(`${place}.`))?.[1] ?? path;
  return readSettings(given, 'environment', nameVariable);
}

/** Keys and folders stay, what would set something goes: for work whose settings are on record already. */
export function withoutSettings(environment: Environment): Environment {
  const set = new Set(listSettings().flatMap(({ variables }) => variables));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !set.has(name)));
}
