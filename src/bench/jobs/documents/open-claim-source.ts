import { resolveBelow } from '../../../items/index.ts';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AgonError } from '../../../errors.ts';
import type { ClaimSource } from './labelled-claim.ts';

const unpack = promisify(gunzip);
/** Of a packed file, unpacked. */
const mostBytes = 500_000_000;

/** A document of a benchmark as its bytes, with a name that says what it is. */
export async function openClaimSource(source: ClaimSource, root: string): Promise<{ name: string; bytes: Uint8Array }> {
  if ('text' in source) return { name: 'document.txt', bytes: new TextEncoder().encode(source.text) };
  const { name, bytes } = await bytesOf(
    await firstOf([source.path, ...(source.others ?? [])].map((place) => resolveBelow(root, place, 'document'))),
  );
  return source.entry === null ? { name, bytes } : readEntry(name, bytes, source.entry);
}

/** The first file that there is; when there is none, the first. */
async function firstOf(files: readonly string[]): Promise<string> {
  if (files.length > 1) for (const file of files) if ((await stat(file).catch(() => null))?.isFile()) return file;
  return files[0]!;
}

async function bytesOf(file: string): Promise<{ name: string; bytes: Uint8Array }> {
  const name = path.basename(file);
  try {
    if (!(await stat(file)).isFile()) throw new Error('it is not a file');
    const bytes = await readFile(file);
    return name.endsWith('.gz')
      ? { name: name.slice(0, -3), bytes: await unpack(bytes, { maxOutputLength: mostBytes }) }
      : { name, bytes };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new AgonError(
      'unreadable-file',
      `${name} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : (code ?? message)}.`,
      'Paths of documents are relative to --root, else to the folder of --data.',
      { cause: error },
    );
  }
}

/** One of many texts in a JSON file, by its id. */
function readEntry(name: string, bytes: Uint8Array, entry: string): { name: string; bytes: Uint8Array } {
  const missing = (cause?: unknown) =>
    new AgonError(
      'unreadable-file',
      `${name} has no text with the id ${entry}.`,
      'An entry has "id" and "text", in a list or in a list of an object.',
      { cause },
    );
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw missing(error);
  }
  const lists = Array.isArray(value)
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).filter((member) => Array.isArray(member))
      : [];
  const found = lists
    .flat()
    .find(
      (candidate) =>
        typeof candidate === 'object' && candidate !== null && String((candidate as { id?: unknown }).id) === entry,
    ) as { text?: unknown } | undefined;
  if (typeof found?.text !== 'string') throw missing();
  return { name: `${name.replace(/\.json$/u, '')}-${entry}.txt`, bytes: new TextEncoder().encode(found.text) };
}
