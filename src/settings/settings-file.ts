import { access, readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgonError } from '../errors.ts';
import { readSettings } from './read-settings.ts';
import type { Settings } from './schema.ts';

const names = ['agon.config.ts', 'agon.config.js', 'agon.config.json', 'agon.config.yaml', 'agon.config.yml'];

/**
 * The settings of a file, or of the agon.config.* in a folder; none when there is no such file. Paths in it are
 * relative to it.
 */
export async function settingsFromFile(options: { file?: string; folder: string }): Promise<Settings> {
  const file = options.file ? path.resolve(options.folder, options.file) : await findIn(options.folder);
  if (!file) return {};
  const settings = readSettings(await contentOf(file), path.basename(file));
  const { policy, calibration, cache, evaluation, ledger } = settings;
  const beside = (name: string) => path.resolve(path.dirname(file), name);
  return {
    ...settings,
    ...(policy ? { policy: beside(policy) } : {}),
    ...(calibration ? { calibration: beside(calibration) } : {}),
    ...(evaluation?.reference ? { evaluation: { ...evaluation, reference: beside(evaluation.reference) } } : {}),
    ...(cache && cache !== 'ledger' ? { cache: { directory: beside(cache.directory) } } : {}),
    ...(ledger && !/^\w+:\/\//.test(ledger) ? { ledger: beside(ledger) } : {}),
  };
}

async function findIn(folder: string): Promise<string | undefined> {
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

async function contentOf(file: string): Promise<unknown> {
  try {
    await access(file);
    switch (path.extname(file)) {
      case '.ts':
      case '.js':
      case '.mts':
      case '.mjs':
        return await exported(file);
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
      `${path.basename(file)} cannot be read: ${reasonOf(error).replace(/[.:]$/, '')}.`,
      'Correct the file or its name; docs/configuration.md has an example of each kind.',
      { cause: error },
    );
  }
}

async function exported(file: string): Promise<unknown> {
  const { href } = pathToFileURL(file);
  // An ES module, whatever the package.json around it says: Node would guess, and warn the user that it had to.
  const format = file.endsWith('ts') ? 'module-typescript' : 'module';
  const hooks = registerHooks({
    load: (url, context, next) => next(url, url === href ? { ...context, format } : context),
  });
  try {
    const { default: settings } = (await import(href)) as { default?: unknown };
    if (settings === undefined) throw new Error('it has no default export');
    return settings;
  } finally {
    hooks.deregister();
  }
}

function reasonOf(error: unknown): string {
  const { code = '', message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  return (
    { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[code] ??
    message.split('\n')[0]!
  );
}
