import type { NamedBytes } from '@agonhq/judges/job';
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { z } from 'zod';
import type { ToolContext } from './run-tool.ts';

/* How files come with a call: in base64, or by a path where a folder was opened. */

export const pathBelow = z.string().min(1).max(4096);

export function requireFolder({ files }: ToolContext): NonNullable<ToolContext['files']> {
  if (files) return files;
  throw new AgonError(
    'no-root',
    'Files cannot be read by path: no folder is open.',
    'Pass the text or the bytes, or start `agon mcp --root FOLDER`.',
  );
}

/** Files of one folder, by their paths below it. Links that lead out of it, and what is no file, are not there. */
export interface OpenFolder {
  read(name: string): Promise<NamedBytes>;
}

const mostBytes = 100 * 2 ** 20;

export async function openFolder(folder: string): Promise<OpenFolder> {
  const root = await realFolder(folder);
  return {
    async read(name) {
      const file = await realpath(path.resolve(root, name)).catch(() => null);
      if (file === null || !isBelow(root, file) || !(await stat(file)).isFile()) throw notThere(name);
      // By its real name, without following a link that came in between.
      const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
        () => null,
      );
      if (!handle) throw notThere(name);
      try {
        const { size } = await handle.stat();
        if (size > mostBytes)
          throw new AgonError(
            'file-too-large',
            `${name} has ${Math.round(size / 2 ** 20)} MB.`,
            `Files may have at most ${mostBytes / 2 ** 20} MB.`,
          );
        return { name: path.relative(root, file), bytes: await handle.readFile() };
      } finally {
        await handle.close();
      }
    },
  };
}

async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real !== null && (await stat(real)).isDirectory()) return real;
  throw badFlag(`--root ${folder} is not a folder.`, 'Name the folder whose files tools may read.');
}

function isBelow(root: string, file: string): boolean {
  const way = path.relative(root, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** What is elsewhere is not told apart from what is nowhere. */
function notThere(name: string): AgonError {
  return new AgonError(
    'unreadable-file',
    `There is no file ${JSON.stringify(name)} in the open folder.`,
    'Pass the path of a file below --root, or its text or bytes.',
  );
}
