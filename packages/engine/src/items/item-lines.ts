import { open } from 'node:fs/promises';
import { AgonError } from '../agon-error.ts';
import { sha256 } from '../hash.ts';
import path from 'node:path';

/** One line: its text, or null when it is not UTF-8. `ended` is false for a last line without a line break. */
export interface NumberedLine {
  text: string | null;
  ended: boolean;
}

const newline = 0x0a;

/** The lines of a stream of bytes. Node's readline would also break at U+2028, which JSON strings may hold as it is. */
export async function* readLines(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<NumberedLine, void, void> {
  let begun: Buffer[] = [];
  for await (const piece of input) {
    const chunk = Buffer.from(piece as Uint8Array);
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      begun.push(chunk.subarray(start, end));
      yield { text: decode(Buffer.concat(begun)), ended: true };
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  if (begun.length > 0) yield { text: decode(Buffer.concat(begun)), ended: false };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes).replace(/\r$/, '');
  } catch {
    return null;
  }
}

/** One line of an input file: an item, or what is wrong with it. `key` tells items apart across resumes. */
export type ItemLine<Item> = { line: number; key: string } & ({ item: Item } | { error: AgonError });

const hint = 'Pass a JSONL file, or - for standard input.';

/** An input that is being read: pieces of a file, until it is closed. */
export interface OpenInput extends AsyncIterable<string | Uint8Array> {
  destroy(): void;
}

/** Opens a file of items, or standard input for `-`, and says at once when it cannot be read. */
export async function openLines(file: string): Promise<OpenInput> {
  if (file === '-') return process.stdin;
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    const reason =
      { ENOENT: 'there is no such file', EACCES: 'permission denied' }[error.code ?? ''] ?? error.code ?? error.message;
    throw new AgonError('unreadable-file', `${file} cannot be read: ${reason}.`, hint, { cause: error });
  });
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw new AgonError('unreadable-file', `${file} is a folder.`, hint);
  }
  return handle.createReadStream();
}

/**
 * Reads JSON Lines as a stream. `read` turns a parsed line into an item or throws an AgonError; a broken line
 * becomes an error with its number, which shows a line as it should be, and the rest goes on. The key is the line's id,
 * that of a broken line too; where an id comes again, or there is none, the key is made so that the same file always
 * gives the same keys, each of them once.
 */
export async function* readItemLines<Item extends { id?: string }>(
  input: AsyncIterable<string | Uint8Array>,
  read: (value: unknown) => Item,
  example = '{"id":"1","text":"…"}',
): AsyncGenerator<ItemLine<Item>, void, void> {
  const unique = createUniqueKeys();
  for await (const { line, text } of numberedLines(input)) {
    const { key, ...content } = readLine(text, line, read, example);
    yield { line, key: unique(key), ...content };
  }
}

/** The lines that hold anything, with their numbers; the text is null where it is not UTF-8. */
export async function* numberedLines(
  input: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<{ line: number; text: string | null }, void, void> {
  let line = 0;
  for await (const { text: raw } of readLines(input)) {
    line += 1;
    const text = line === 1 ? (raw?.replace(/^\uFEFF/, '') ?? null) : raw;
    if (text?.trim() !== '') yield { line, text };
  }
}

function readLine<Item extends { id?: string }>(
  text: string | null,
  line: number,
  read: (value: unknown) => Item,
  example: string,
) {
  const fallbackKey = text === null ? `line-${line}` : sha256(text);
  let value: unknown;
  try {
    value = parseLine(text, example);
    const item = read(value);
    return { key: item.id ?? fallbackKey, item };
  } catch (error) {
    if (AgonError.is(error)) return { key: findItemId(value) ?? fallbackKey, error };
    throw error;
  }
}

/** The id that a value gives itself, even where the rest of it cannot be read. */
export function findItemId(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : undefined;
}

/** The value of a line of JSON; an AgonError shows a line as it should be. */
export function parseLine(text: string | null, example: string): unknown {
  if (text === null) throw new AgonError('broken-line', 'The line is not text in UTF-8.', 'Convert the file to UTF-8.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgonError(
      'broken-line',
      `The line is not JSON: ${(error as Error).message}.`,
      `Each line is one JSON object, for example ${example}.`,
      { cause: error },
    );
  }
}

/** Makes keys that come again different, the same way every time. */
export function createUniqueKeys(): (key: string) => string {
  const used = new Set<string>();
  const repeats = new Map<string, number>();
  return (key) => {
    let unique = key;
    for (let count = repeats.get(key) ?? 1; used.has(unique); repeats.set(key, count))
      unique = `${key}#${(count += 1)}`;
    used.add(unique);
    return unique;
  };
}

/** The absolute path of a file that an item names; items reach nothing outside `root`. */
export function resolveBelow(root: string, file: string, what = 'image'): string {
  const resolved = path.resolve(root, file);
  const inside = path.relative(path.resolve(root), resolved);
  if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) {
    throw new AgonError('path-outside-root', `The ${what} ${file} lies outside ${root}.`, {
      library: `Name the folder that holds every ${what}.`,
      cli: `Name the folder that holds every ${what} with --root.`,
      api: 'Send the files with the run, and name each by its name alone.',
    });
  }
  return resolved;
}
