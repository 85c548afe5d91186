import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Job } from '../../agon.ts';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import type { Ledger, NewRunItem } from '../../ledger/index.ts';
import { exchangeExample, holdsLines, valuesIn } from '../exchanges/exchanges-in.ts';
import { idIn, openLines } from './item-lines.ts';
import { safetyLabel } from './safety-label.ts';
import { csvValues } from './csv-values.ts';
import type { InputValue } from './input-value.ts';
import { itemFiles, type ItemFiles } from './item-files.ts';
import { jobInputs, type JobInput } from './job-inputs.ts';
import { jsonValues } from './json-values.ts';

export const inputFormats = ['jsonl', 'csv', 'tsv'] as const;
export type InputFormat = (typeof inputFormats)[number];

export interface RunInputOptions {
  /** What paths in items are relative to, and nothing outside of which is reached; by default the input's folder. */
  root?: string;
  /** By default as the file's name says; of standard input, JSONL. */
  format?: InputFormat;
  /** Our field names and what the input calls them: `{ text: 'comment', label: 'is_toxic' }`. */
  map?: Readonly<Record<string, string>>;
  /** The input's labels and what they mean: `{ hateful: 'unsafe' }`. */
  labels?: Readonly<Record<string, string>>;
  /** Where files that items name are kept for workers on other machines. */
  attachments?: Ledger['attachments'];
  /** Ends the reading at once: standard input may be silent for long. */
  signal?: AbortSignal;
  /** Told once of labels that mean nothing here. */
  onUnknownLabel?: (label: string, line: number) => void;
}

/**
 * The items of an input, one at a time, however many there are: JSON Lines, CSV with a header, standard input for `-`,
 * and for evaluation whatever `exchangesIn` reads. A broken line is an item with its error.
 *
 * @example for await (const item of runItemsIn('comments.csv', 'moderation', { map: { text: 'comment' } })) …
 */
export async function* runItemsIn(file: string, job: Job, options: RunInputOptions = {}): AsyncGenerator<NewRunItem, void, void> {
  const { root = file === '-' ? process.cwd() : path.dirname(path.resolve(file)), attachments } = options;
  const input = jobInputs[job];
  const files = itemFiles({ root, what: job === 'documents' ? 'document' : 'image', attachments });
  const labelOf = labelReader(job, options);
  try {
    for await (const found of valuesOf(file, job, options)) yield itemOf(await readValue(found, input, files), found, labelOf);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
}

async function* valuesOf(file: string, job: Job, options: RunInputOptions): AsyncGenerator<InputValue, void, void> {
  const format = options.format ?? formatOf(file);
  if (format === 'csv' || format === 'tsv') yield* rowsOf(file, jobInputs[job], format, options);
  else if (job === 'evaluation' && options.format === undefined && !(await holdsLines(file))) yield* renamedIn(numbered(valuesIn(file)), options.map);
  else yield* renamedIn(linesOf(file, job, options.signal), options.map);
}

function formatOf(file: string): InputFormat {
  return /\.csv$/i.test(file) ? 'csv' : /\.(tsv|tab)$/i.test(file) ? 'tsv' : 'jsonl';
}

/** Opens an input that an abort closes. */
async function opened(file: string, signal: AbortSignal | undefined): Promise<Readable> {
  const input = await openLines(file);
  signal?.addEventListener('abort', () => input.destroy(), { once: true });
  if (signal?.aborted) input.destroy();
  return input;
}

async function* linesOf(file: string, job: Job, signal: AbortSignal | undefined): AsyncGenerator<InputValue, void, void> {
  const input = await opened(file, signal);
  try {
    yield* jsonValues(input, { example: job === 'evaluation' ? exchangeExample : jobInputs[job].example, bare: job === 'documents' });
  } finally {
    input.destroy();
  }
}

async function* rowsOf(file: string, input: JobInput, format: 'csv' | 'tsv', { map = {}, signal }: RunInputOptions): AsyncGenerator<InputValue, void, void> {
  const name = file === '-' ? 'Standard input' : path.basename(file);
  const rows = csvValues(await opened(file, signal), { name, delimiter: format === 'csv' ? ',' : '\t', columnsOf: (header) => ourColumns(header, input, map, name) });
  for await (const row of rows) yield 'value' in row ? { ...row, value: withLists(row.value as Record<string, string>, input.lists) } : row;
}

/** The header in our words; a column that is nothing to us has none. */
function ourColumns(header: readonly string[], { fields, parts }: JobInput, map: Readonly<Record<string, string>>, name: string): string[] {
  const has = `its columns are ${header.join(', ')}`;
  const missing = Object.values(map).find((column) => !header.includes(column));
  if (missing !== undefined) throw new AgonError('unknown-column', `${name} has no column ${missing}; ${has}.`, 'Correct --map.');
  const named = new Map(Object.entries(map).map(([field, column]) => [column, field]));
  const columns = header.map((column) => {
    const lower = column.toLowerCase();
    return named.get(column) ?? (fields.includes(lower) && !Object.hasOwn(map, lower) ? lower : '');
  });
  if (parts.some((together) => together.every((field) => columns.includes(field)))) return columns;
  const needed = parts.map((together) => together.join(' and ')).join(', or ');
  throw new AgonError('unknown-column', `${name} has no column ${needed}; ${has}.`, `The first row names the columns; --map ${parts[0]![0]}=COLUMN says what a column is called.`);
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

async function* numbered(values: AsyncIterable<unknown>): AsyncGenerator<InputValue, void, void> {
  let line = 0;
  for await (const value of values) {
    line += 1;
    yield AgonError.is(value) ? { line, written: line, error: value } : { line, written: value, value };
  }
}

async function* renamedIn(values: AsyncIterable<InputValue>, map: RunInputOptions['map'] = {}): AsyncGenerator<InputValue, void, void> {
  for await (const found of values) yield 'value' in found ? { ...found, value: renamed(found.value, map) } : found;
}

/** A value with our names for its fields. */
function renamed(value: unknown, map: Readonly<Record<string, string>>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = value as Record<string, unknown>;
  return { ...given, ...Object.fromEntries(Object.entries(map).map(([field, theirs]) => [field, given[theirs]])) };
}

type ReadValue = { id?: string; hash: string } & ({ input: unknown } | { error: AgonError });

async function readValue(found: InputValue, input: JobInput, files: ItemFiles): Promise<ReadValue> {
  // Each broken line is a failure of its own, whatever others look like.
  const broken = (error: AgonError, id?: string) => ({ ...(id === undefined ? {} : { id }), hash: hashOf([found.line, found.written]), error });
  if ('error' in found) return broken(found.error);
  const id = idIn(found.value);
  try {
    if (id !== undefined && !isName(id)) return broken(new AgonError('broken-line', 'The id is too long, or not plain text.', `An id has at most ${longestName} characters.`));
    return await input.read(found.value, files);
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return broken(error, id);
  }
}

/** What a database can keep and compare, and a person can read. */
const longestName = 256;

function isName(id: string): boolean {
  return id.length <= longestName && id.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(id);
}

function itemOf(read: ReadValue, { line, ...found }: InputValue, labelOf: (value: unknown, line: number) => string | null): NewRunItem {
  const item = { position: line, key: read.id ?? ('error' in read ? `line-${line}` : read.hash), hash: read.hash };
  const expected = 'value' in found ? labelOf(found.value, line) : null;
  if (!('error' in read)) return { ...item, input: read.input, expected };
  const { code, message, hint } = read.error;
  return { ...item, input: null, expected, error: { code, message, hint } };
}

function labelReader(job: Job, { labels = {}, onUnknownLabel }: RunInputOptions): (value: unknown, line: number) => string | null {
  const unknown = new Set<string>();
  return (value, line) => {
    const given = typeof value === 'object' && value !== null && 'label' in value ? value.label : undefined;
    if (given === undefined || given === null || given === '') return null;
    const text = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean' ? String(given).trim() : JSON.stringify(given);
    const meaning = Object.hasOwn(labels, text) ? labels[text]! : job === 'documents' ? (isName(text) ? text : undefined) : safetyLabel(text);
    if (meaning !== undefined) return meaning;
    // Told once for each, and of a few: an input may call something else its label.
    if (unknown.size < 10 && !unknown.has(text)) {
      unknown.add(text);
      onUnknownLabel?.(text, line);
    }
    return null;
  };
}
