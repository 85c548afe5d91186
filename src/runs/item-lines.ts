import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { AgonError } from '../errors.ts';
import { sha256 } from '../hash.ts';

/** One line of an input file: an item, or what is wrong with it. `key` tells items apart across resumes. */
export type ItemLine<Item> = { line: number; key: string } & ({ item: Item } | { error: AgonError });

/** Opens a file of items, or standard input for `-`, and says at once when it cannot be read. */
export async function openLines(file: string): Promise<Readable> {
  if (file === '-') return process.stdin;
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : (error.code ?? error.message);
    throw new AgonError('unreadable-file', `${file} cannot be read: ${reason}.`, 'Pass a JSONL file, or - for standard input.', { cause: error });
  });
  if (found.isDirectory()) throw new AgonError('unreadable-file', `${file} is a folder.`, 'Pass a JSONL file, or - for standard input.');
  return createReadStream(file);
}

/**
 * Reads JSON Lines as a stream. `read` turns a parsed line into an item or throws an AgonError; a broken line
 * becomes an error with its number, and the rest goes on.
 */
export async function* itemLines<Item extends { id?: string }>(input: Readable, read: (value: unknown) => Item): AsyncGenerator<ItemLine<Item>, void, void> {
  let line = 0;
  for await (const raw of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw;
    if (text.trim() === '') continue;
    yield { line, ...readLine(text, line, read) };
  }
}

function readLine<Item extends { id?: string }>(text: string, line: number, read: (value: unknown) => Item) {
  const fallbackKey = sha256(text);
  try {
    const item = read(parse(text, line));
    return { key: item.id ?? fallbackKey, item };
  } catch (error) {
    if (AgonError.is(error)) return { key: fallbackKey, error };
    throw error;
  }
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgonError('broken-line', `Line ${line} is not JSON: ${(error as Error).message}`, 'Each line is one JSON object, for example {"id":"1","text":"…"}.', { cause: error });
  }
}
