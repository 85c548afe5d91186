import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgonError } from '../errors.ts';
import { readSettings } from './read-settings.ts';
import type { Settings } from './schema.ts';

const names = ['agon.config.ts', 'agon.config.js', 'agon.config.json', 'agon.config.yaml', 'agon.config.yml'];

/** The settings of a file, or of the agon.config.* in a folder; none when there is no such file. */
export async function settingsFromFile(options: { file?: string; folder: string }): Promise<Settings> {
  const file = options.file ? path.resolve(options.folder, options.file) : await findIn(options.folder);
  if (!file) return {};
  return readSettings(await contentOf(file), path.basename(file));
}

async function findIn(folder: string): Promise<string | undefined> {
  const found: string[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const exists = await access(file).then(() => true, () => false);
    if (exists) found.push(file);
  }
  if (found.length > 1) {
    const listed = found.map((file) => path.basename(file)).join(', ');
    throw new AgonError('two-settings-files', `There is more than one configuration here: ${listed}.`, 'Keep one of them, or name it with --config.');
  }
  return found[0];
}

async function contentOf(file: string): Promise<unknown> {
  try {
    if (/\.[jt]s$/.test(file)) {
      const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
      if (module.default === undefined) throw new Error('it has no default export');
      return module.default;
    }
    const text = await readFile(file, 'utf8');
    if (file.endsWith('.json')) return JSON.parse(text);
    const { parse } = await import('yaml');
    return parse(text) ?? {};
  } catch (error) {
    throw new AgonError(
      'unreadable-settings',
      `${path.basename(file)} cannot be read: ${(error as Error).message.split('\n')[0]}`,
      'Correct the file; docs/configuration.md has an example of each kind.',
      { cause: error },
    );
  }
}
