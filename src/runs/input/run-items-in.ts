import path from 'node:path';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import { formatOf, idIn, inputValues, renamedIn, type InputFormat, type InputValue } from '../../items/index.ts';
import { requireJob, type Job } from '../../jobs/index.ts';
import type { Ledger, NewRunItem } from '../../ledger/index.ts';
import { itemFiles, type ItemFiles } from './item-files.ts';

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
export async function* runItemsIn(
  file: string,
  jobId: string,
  options: RunInputOptions = {},
): AsyncGenerator<NewRunItem, void, void> {
  const job = requireJob(jobId);
  const { root = file === '-' ? process.cwd() : path.dirname(path.resolve(file)), attachments } = options;
  const keepFile = itemFiles({ root, what: job.items.files ?? 'file', attachments });
  const readLabel = labelReader(job, options);
  try {
    for await (const found of readValues(file, job, options))
      yield itemOf(await readValue(found, job, keepFile), found, readLabel);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
}

/** Lines or rows with our names for their fields; or what another tool wrote, where the job knows it. */
async function* readValues(
  file: string,
  { items }: Job,
  { format, map, signal }: RunInputOptions,
): AsyncGenerator<InputValue, void, void> {
  const isText = format === undefined && formatOf(file) === 'jsonl';
  const imported = isText ? await items.importFile?.(file) : null;
  if (imported) yield* renamedIn(numbered(imported), map);
  else yield* inputValues(file, { ...items, bare: items.bareText }, { format, map, signal });
}

async function* numbered(values: AsyncIterable<unknown>): AsyncGenerator<InputValue, void, void> {
  let line = 0;
  for await (const value of values) {
    line += 1;
    yield AgonError.is(value) ? { line, written: line, error: value } : { line, written: value, value };
  }
}

type ReadValue = { id?: string; hash: string } & ({ input: unknown } | { error: AgonError });

async function readValue(found: InputValue, { items }: Job, keepFile: ItemFiles): Promise<ReadValue> {
  // Each broken line is a failure of its own, whatever others look like.
  const broken = (error: AgonError, id?: string) => ({
    ...(id === undefined ? {} : { id }),
    hash: hashOf([found.line, found.written]),
    error,
  });
  if ('error' in found) return broken(found.error);
  const id = idIn(found.value);
  try {
    if (id !== undefined && !isName(id))
      return broken(
        new AgonError(
          'broken-line',
          'The id is too long, or not plain text.',
          `An id has at most ${longestName} characters.`,
        ),
      );
    return await items.readItem(found.value, keepFile);
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

function itemOf(
  read: ReadValue,
  { line, ...found }: InputValue,
  labelOf: (value: unknown, line: number) => string | null,
): NewRunItem {
  const item = { position: line, key: read.id ?? ('error' in read ? `line-${line}` : read.hash), hash: read.hash };
  const expected = 'value' in found ? labelOf(found.value, line) : null;
  if (!('error' in read)) return { ...item, input: read.input, expected };
  const { code, message, hint } = read.error;
  return { ...item, input: null, expected, error: { code, message, hint } };
}

function labelReader(
  job: Job,
  { labels = {}, onUnknownLabel }: RunInputOptions,
): (value: unknown, line: number) => string | null {
  const unknown = new Set<string>();
  return (value, line) => {
    const given = typeof value === 'object' && value !== null && 'label' in value ? value.label : undefined;
    if (given === undefined || given === null || given === '') return null;
    const text =
      typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
        ? String(given).trim()
        : JSON.stringify(given);
    const meaning = Object.hasOwn(labels, text) ? labels[text] : readPlainLabel(job, text);
    if (meaning !== undefined) return meaning;
    // Told once for each, and of a few: an input may call something else its label.
    if (unknown.size < 10 && !unknown.has(text)) {
      unknown.add(text);
      onUnknownLabel?.(text, line);
    }
    return null;
  };
}

function readPlainLabel({ items }: Job, text: string): string | undefined {
  const label = items.readLabel(text);
  return label !== undefined && isName(label) ? label : undefined;
}
