import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { codings, type Coding, createCompressible, type Compressible } from '../http/compression.ts';

/** A file of the console as it is sent. */
export interface ConsoleFile {
  type: string;
  /** Changes with its bytes. */
  tag: string;
  content: Compressible;
}

/**
 * The files of the console by the path of their address (`/assets/index-4f1c.js`): those that were there at the
 * start, and no others.
 */
export interface ConsoleFiles {
  /** Read when it is first asked for, and kept; null when there is none, or it has gone since. */
  findFile(pathname: string): Promise<ConsoleFile | null>;
}

const endings: Record<Coding, string> = { br: '.br', gzip: '.gz' };

/** Null where the console was not built. */
export async function openConsoleFiles(folder: string): Promise<ConsoleFiles | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).split(path.sep).join('/'));
  if (!names.includes('index.html')) return null;
  const listed = new Set(names);
  const isPackedOne = (name: string) =>
    Object.values(endings).some((ending) => name.endsWith(ending) && listed.has(name.slice(0, -ending.length)));
  const places = new Map(names.filter((name) => !isPackedOne(name)).map((name) => [`/${name}`, name]));
  const opened = new Map<string, Promise<ConsoleFile | null>>();

  async function read(name: string): Promise<ConsoleFile | null> {
    try {
      const bytes = await readFile(path.join(folder, name));
      const ready = codings
        .filter((coding) => listed.has(`${name}${endings[coding]}`))
        .map(async (coding) => [coding, await readFile(path.join(folder, `${name}${endings[coding]}`))] as const);
      return {
        type: getMimeType(name) ?? 'application/octet-stream',
        tag: hash('sha256', bytes, 'base64url').slice(0, 22),
        content: createCompressible(bytes, Object.fromEntries(await Promise.all(ready))),
      };
    } catch {
      opened.delete(name);
      return null;
    }
  }

  return {
    async findFile(pathname) {
      const name = places.get(pathname);
      if (name === undefined) return null;
      const known = opened.get(name);
      if (known) return known;
      const reading = read(name);
      opened.set(name, reading);
      return reading;
    },
  };
}
