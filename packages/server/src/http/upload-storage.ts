import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';

/** Most file systems take 255 bytes; some are left for what is put behind a name. */
const mostBytes = 200;
/** How a name may end, and still be cut before that. */
const extension = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * What an uploaded file is called: its last segment, as plain text that any file system takes; of nothing usable,
 * `otherwise`.
 */
export function cleanUploadName(given: string, otherwise: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1)!;
  const plain = last.replace(/\p{C}/gu, '').replace(/^[.\s]+|(?<![.\s])[.\s]+$/gu, '');
  return plain === '' ? otherwise : shortenFileName(plain, mostBytes);
}

/**
 * Makes names that come again unique: `cat.png`, `cat-2.png`. Letters of either case are the same, as they are on
 * some disks.
 */
export function createUniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  /** Which number comes next, so that of a thousand of the same name the last is not held against all others. */
  const next = new Map<string, number>();
  return (name) => {
    let free = name;
    if (taken.has(name.toLowerCase())) {
      const { stem, end } = splitExtension(name);
      const series = `${stem}${end}`.toLowerCase();
      let number = next.get(series) ?? 2;
      do free = `${stem}-${number++}${end}`;
      while (taken.has(free.toLowerCase()));
      next.set(series, number);
    }
    taken.add(free.toLowerCase());
    return free;
  };
}

function splitExtension(name: string): { stem: string; end: string } {
  const [end = ''] = extension.exec(name) ?? [];
  return { stem: shortenFileName(name.slice(0, name.length - end.length), mostBytes - 20), end };
}

function shortenFileName(name: string, most: number): string {
  if (Buffer.byteLength(name) <= most) return name;
  const [end = ''] = extension.exec(name) ?? [];
  const room = most - Buffer.byteLength(end);
  let kept = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - end.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    kept += character;
  }
  return kept + end;
}

/** No upload takes so long: whoever made the folder has ended, whatever process has its number now. */
const staleMs = 3_600_000;

/** A folder for the files of one request. Its name says which process will take it away. */
export async function makeUploadFolder(folder: string): Promise<string> {
  const uploads = uploadsFolder(folder);
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  return mkdtemp(path.join(uploads, `${process.pid}-`));
}

/** Takes away what a server that was killed has left. Says how many requests that was. */
export async function sweepUploads(folder: string): Promise<number> {
  const names = await readdir(uploadsFolder(folder)).catch(() => []);
  const swept = await Promise.all(
    names.map(async (name) => {
      const place = path.join(uploadsFolder(folder), name);
      const made = await stat(place).catch(() => null);
      if (!made || (isAlive(Number.parseInt(name, 10)) && Date.now() - made.mtimeMs < staleMs)) return false;
      await rm(place, { recursive: true, force: true });
      return true;
    }),
  );
  return swept.filter(Boolean).length;
}

function uploadsFolder(folder: string): string {
  return path.join(folder, 'uploads');
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What all uploads together have on disk while they are being answered. */
export interface UploadSpace {
  /** Throws when there is no room for more. */
  take(bytes: number): void;
  give(bytes: number): void;
}

export function createUploadSpace(mostBytes: number): UploadSpace {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > mostBytes)
        throw new AgonError(
          'too-many-uploads',
          'Other uploads are using all available space.',
          'Try again in a moment, or send less at once.',
        );
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
