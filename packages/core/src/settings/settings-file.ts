import { access, readFile } from 'node:fs/promises';
import nodeModule from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { packageFolder } from '@agonhq/engine/package-folder';
import { npmName } from '@agonhq/engine/version';
import type { Jobs } from '@agonhq/judges/job';
import { readSettings } from './read-settings.ts';
import { listSettings, type SettingRow, type Settings } from './table.ts';

const names = ['agon.config.ts', 'agon.config.js', 'agon.config.json', 'agon.config.yaml', 'agon.config.yml'];

export interface SettingsFileOptions {
  file?: string;
  folder: string;
  /** The jobs that it may have a block for. */
  jobs: Jobs;
  /** Loads the jobs that the file names, before it is read, and says which there are then. */
  loadJobs?: (modules: readonly string[], folder: string) => Promise<Jobs>;
}

/**
 * The settings of a file, or of the agon.config.* in a folder; none when there is no such file. Paths in it are
 * relative to it.
 */
export async function settingsFromFile(options: SettingsFileOptions): Promise<Settings> {
  const file = options.file ? path.resolve(options.folder, options.file) : await findFile(options.folder);
  if (!file) return {};
  const content = await readContent(file);
  const jobs = (await options.loadJobs?.(listModules(content), path.dirname(file))) ?? options.jobs;
  const settings = readSettings(jobs, content, path.basename(file));
  return listSettings(jobs)
    .filter(({ notes }) => notes.isPath)
    .reduce((all, row) => resolvePath(all, row.path.split('.'), row, path.dirname(file)), settings);
}

function listModules(content: unknown): string[] {
  const { jobs } = (content ?? {}) as { jobs?: unknown };
  return Array.isArray(jobs) ? jobs.filter((module) => typeof module === 'string') : [];
}

/** A path at a place of the settings, from the folder of their file on; addresses and words of the type stay. */
function resolvePath<Part extends object>(part: Part, names: readonly string[], row: SettingRow, folder: string): Part {
  const [name, ...rest] = names as [string, ...string[]];
  const value: unknown = Reflect.get(part, name);
  if (typeof value === 'string')
    return /^\w+:\/\//.test(value) || isWord(row.type, value) ? part : { ...part, [name]: path.resolve(folder, value) };
  if (Array.isArray(value)) return { ...part, [name]: value.map((one: string) => path.resolve(folder, one)) };
  if (typeof value !== 'object' || value === null) return part;
  return { ...part, [name]: resolvePath(value, rest.length > 0 ? rest : ['directory'], row, folder) };
}

/** Whether a type takes this very word, like `ledger` for the cache. */
function isWord(type: z.ZodType, value: string): boolean {
  return (
    type instanceof z.ZodUnion &&
    type.options.some((option) => option instanceof z.ZodLiteral && option.values.has(value))
  );
}

async function findFile(folder: string): Promise<string | undefined> {
  const found: string[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) found.push(file);
  }
  if (found.length > 1) {
    const listed = found.map((file) => path.basename(file)).join(', ');
    throw new AgonError('two-settings-files', `There is more than one configuration here: ${listed}.`, {
      library: 'Keep one of them, or name the one to use.',
      cli: 'Keep one of them, or name it with --config.',
    });
  }
  return found[0];
}

async function readContent(file: string): Promise<unknown> {
  try {
    switch (path.extname(file)) {
      case '.ts':
      case '.js':
      case '.mts':
      case '.mjs':
        return requireDefault(await importDefault(file));
      case '.json':
        return JSON.parse(await readFile(file, 'utf8'));
      case '.yaml':
      case '.yml': {
        const { parse } = await import('yaml');
        return parse(await readFile(file, 'utf8')) ?? {};
      }
      default:
        throw new Error('it is none of .ts, .js, .json, .yaml');
    }
  } catch (error) {
    throw new AgonError(
      'unreadable-settings',
      `${path.basename(file)} cannot be read: ${describeReason(error).replace(/[.:]$/, '')}.`,
      'Correct the file or its name; docs/configuration.md has an example of each kind.',
      { cause: error },
    );
  }
}

function requireDefault(settings: unknown): unknown {
  if (settings === undefined) throw new Error('it has no default export');
  return settings;
}

/** The default export of a module that a person wrote: of the settings, or of a job. */
export async function importDefault(file: string): Promise<unknown> {
  await access(file);
  const { href } = pathToFileURL(file);
  // An ES module, whatever the package.json around it says: Node would guess, and warn the user that it had to.
  const own = pathToFileURL(path.join(packageFolder(import.meta.dirname), 'package.json')).href;
  const format = file.endsWith('ts') ? 'module-typescript' : 'module';
  const hooks = nodeModule.registerHooks({
    // Where Agon is not installed beside it, Agon is the one that runs.
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (specifier !== npmName && specifier !== 'zod') throw error;
        return next(specifier, { ...context, parentURL: own });
      }
    },
    load: (url, context, next) => next(url, url === href ? { ...context, format } : context),
  });
  try {
    const loaded = (await import(href)) as { default?: unknown };
    return loaded.default;
  } finally {
    hooks.deregister();
  }
}

/** Why a file of a person cannot be read, in a part of a sentence. */
export function describeReason(error: unknown): string {
  const { code = '', message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  return (
    { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[code] ??
    message.split('\n')[0]!
  );
}
