import path from 'node:path';
import { AgonError } from '../agon-error.ts';
import { readCsvValues } from './csv-values.ts';
import { openLines, numberedLines, parseLine, type OpenInput } from './item-lines.ts';

const safeWords = ['safe', 'unharmful', '0', 'false'];
const unsafeWords = ['unsafe', 'harmful', '1', 'true'];

/** What a label of published data means (safe/unsafe, harmful/unharmful, 0/1, true/false); undefined for any other. */
export function readSafetyLabel(value: unknown): 'safe' | 'unsafe' | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  const word = String(value).trim().toLowerCase();
  return safeWords.includes(word) ? 'safe' : unsafeWords.includes(word) ? 'unsafe' : undefined;
}

export const inputFormats = ['jsonl', 'csv', 'tsv'] as const;
export type InputFormat = (typeof inputFormats)[number];

/** How the items of an input are written. */
export interface InputLayout {
  /** Every field that is read, and that may be called otherwise. */
  fields: readonly string[];
  /** Fields with members of their own, each a column: `context` for `context.author`. */
  families?: readonly string[];
  /** A table has the columns of one of these at least. */
  parts: readonly (readonly string[])[];
  /** Fields that may hold a list. */
  lists: readonly string[];
  /** A line as it should be. */
  example: string;
  /** A line that is no JSON is a text. */
  bare?: boolean;
}

export interface InputReading {
  /** By default as the name says; of standard input, JSONL. */
  format?: InputFormat | undefined;
  /** Our field names and what the input calls them. */
  map?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
  /** What the input is called; by default as the file. */
  name?: string;
}

/** The items of JSON Lines, CSV or TSV (`-`: standard input) under our names; what cannot be read is an error there. */
export function readInputValues(
  file: string,
  layout: InputLayout,
  { map = {}, signal, ...reading }: InputReading,
): AsyncGenerator<InputValue, void, void> {
  const name = reading.name ?? (file === '-' ? 'Standard input' : path.basename(file));
  const format = reading.format ?? guessInputFormat(name);
  return format === 'jsonl'
    ? renameFields(linesOf(file, layout, signal), map)
    : rowsOf(file, layout, { name, format, map, signal });
}

export function guessInputFormat(name: string): InputFormat {
  return /\.csv$/i.test(name) ? 'csv' : /\.(tsv|tab)$/i.test(name) ? 'tsv' : 'jsonl';
}

/** Opens an input that an abort closes. */
async function opened(file: string, signal: AbortSignal | undefined): Promise<OpenInput> {
  const input = await openLines(file);
  signal?.addEventListener('abort', () => input.destroy(), { once: true });
  if (signal?.aborted) input.destroy();
  return input;
}

async function* linesOf(
  file: string,
  { example, bare = false }: InputLayout,
  signal: AbortSignal | undefined,
): AsyncGenerator<InputValue, void, void> {
  const input = await opened(file, signal);
  try {
    yield* readJsonValues(input, { example, bare });
  } finally {
    input.destroy();
  }
}

interface TableReading {
  name: string;
  format: 'csv' | 'tsv';
  map: Readonly<Record<string, string>>;
  signal: AbortSignal | undefined;
}

async function* rowsOf(
  file: string,
  layout: InputLayout,
  { name, format, map, signal }: TableReading,
): AsyncGenerator<InputValue, void, void> {
  const rows = readCsvValues(await opened(file, signal), {
    name,
    delimiter: format === 'csv' ? ',' : '\t',
    columnsOf: (header) => ourColumns(header, layout, map, name),
  });
  for await (const row of rows)
    yield 'value' in row ? { ...row, value: withLists(row.value as Record<string, string>, layout.lists) } : row;
}

/** The header in our words; a column that is nothing to us has none. */
function ourColumns(
  header: readonly string[],
  { fields, families = [], parts }: InputLayout,
  map: Readonly<Record<string, string>>,
  name: string,
): string[] {
  const has = `its columns are ${header.join(', ')}`;
  const missing = Object.values(map).find((column) => !header.includes(column));
  if (missing !== undefined)
    throw new AgonError('unknown-column', `${name} has no column ${missing}; ${has}.`, {
      library: 'Correct the map of columns.',
      cli: 'Correct --map.',
      api: '`map` says what a column is called: {"text": "COLUMN"}.',
    });
  const named = new Map(Object.entries(map).map(([field, column]) => [column, field]));
  const columns = header.map((column) => {
    const lower = column.toLowerCase();
    const isMember = families.some((family) => lower.startsWith(`${family}.`));
    if (isMember && !Object.hasOwn(map, column))
      return named.get(column) ?? column.replace(/^[^.]+/, lower.split('.')[0]!);
    return named.get(column) ?? (fields.includes(lower) && !Object.hasOwn(map, lower) ? lower : '');
  });
  if (parts.some((together) => together.every((field) => columns.includes(field)))) return columns;
  const needed = parts.map((together) => together.join(' and ')).join(', or ');
  throw new AgonError('unknown-column', `${name} has no column ${needed}; ${has}.`, {
    library: `The first row names the columns; map ${parts[0]![0]} to one of them.`,
    cli: `The first row names the columns; --map ${parts[0]![0]}=COLUMN says what a column is called.`,
    api: `The first row names the columns; \`map\` says what a column is called: {"${parts[0]![0]}": "COLUMN"}.`,
  });
}

/** A cell that holds a list in JSON is that list. */
function withLists(row: Record<string, string>, lists: readonly string[]): Record<string, unknown> {
  const read = lists.flatMap((field): [string, unknown][] => {
    if (!row[field]?.startsWith('[')) return [];
    try {
      return [[field, JSON.parse(row[field])]];
    } catch {
      return []; // A name that begins with a bracket.
    }
  });
  return { ...row, ...Object.fromEntries(read) };
}

/** The same values with our names for their fields. */
export async function* renameFields(
  values: AsyncIterable<InputValue>,
  map: Readonly<Record<string, string>> = {},
): AsyncGenerator<InputValue, void, void> {
  for await (const found of values) yield 'value' in found ? { ...found, value: renameValue(found.value, map) } : found;
}

export function renameValue(value: unknown, map: Readonly<Record<string, string>>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = value as Record<string, unknown>;
  return { ...given, ...Object.fromEntries(Object.entries(map).map(([field, theirs]) => [field, given[theirs]])) };
}

/** One item of an input as it stands there: its place, what is written there, and its value or why it has none. */
export type InputValue = {
  /** The line on which it begins; in a document that has none, its number. */
  line: number;
  /** What a broken item is known by. */
  written: unknown;
} & ({ value: unknown } | { error: AgonError });

/** The values of JSON Lines. With `bare`, a line that is no JSON is a text: a list of paths needs no quotes. */
export async function* readJsonValues(
  input: AsyncIterable<string | Uint8Array>,
  { example, bare = false }: { example: string; bare?: boolean },
): AsyncGenerator<InputValue, void, void> {
  for await (const { line, text } of numberedLines(input)) yield readJsonValue(line, text, { example, bare });
}

/** The value of one line; null as its text says that it is not UTF-8. */
export function readJsonValue(
  line: number,
  text: string | null,
  { example, bare = false }: { example: string; bare?: boolean },
): InputValue {
  try {
    const value = bare && text !== null && !/^\s*["[{]/.test(text) ? text.trim() : parseLine(text, example);
    return { line, written: text, value };
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return { line, written: text, error };
  }
}
