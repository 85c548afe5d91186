import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf, sha256 } from '@agonhq/engine/hash';
import {
  guessInputFormat,
  findItemId,
  readInputValues,
  renameFields,
  type InputFormat,
  type InputValue,
  resolveBelow,
  inputFormats,
  loadFile,
} from '@agonhq/engine/items';
import type { Job, StoredFile } from '@agonhq/judges/job';
import type { Ledger, NewRunItem } from '@agonhq/ledger';
import { z } from 'zod';

const schema = z.strictObject({
  root: z.string().optional(),
  format: z.enum(inputFormats).optional(),
  map: z.record(z.string(), z.string()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
});

/** How the input of a run is read: kept in its plan, so that whoever reads on does it the same way. */
export type RunReading = Pick<RunInputOptions, 'root' | 'format' | 'map' | 'labels'>;

/** The reading in a run's plan; of a plan without one, the usual one. */
export function parseRunReading(value: unknown): RunReading {
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  throw new AgonError(
    'no-plan',
    `How the input is read cannot be read: ${z.prettifyError(read.error)}`,
    'The run was made by another version of Agon: start it anew.',
  );
}

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
  /** Whether an item without an id is told apart by its line as it is written, and not by what it says. */
  keyByLine?: boolean;
  /** Told once of labels that mean nothing here. */
  onUnknownLabel?: (label: string, line: number) => void;
}

/**
 * The items of an input, one at a time, however many there are: JSON Lines, CSV with a header, standard input for `-`,
 * and whatever else its job imports. A broken line is an item with its error.
 *
 * @example for await (const item of readRunItems('comments.csv', moderationJob, { map: { text: 'comment' } })) …
 */
export async function* readRunItems(
  file: string,
  job: Job,
  options: RunInputOptions = {},
): AsyncGenerator<NewRunItem, void, void> {
  const root = options.root ?? (file === '-' ? process.cwd() : path.dirname(path.resolve(file)));
  const readItem = createItemReader(job, { ...options, root });
  try {
    for await (const found of readValues(file, job, options)) yield await readItem(found);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
}

/** Makes an item of each value of an input, or says there what is wrong with it. */
export function createItemReader(
  job: Job,
  options: RunInputOptions & { root: string },
): (found: InputValue) => Promise<NewRunItem> {
  const { root, attachments, keyByLine } = options;
  const keepFile = itemFiles({ root, what: job.items.files ?? 'file', attachments });
  const readLabel = labelReader(job, options);
  return async (found) => itemOf(await readValue(found, job, keepFile), found, readLabel, keyByLine);
}

/** Lines or rows with our names for their fields; or what another tool wrote, where the job knows it. */
async function* readValues(
  file: string,
  { items }: Job,
  { format, map, signal }: RunInputOptions,
): AsyncGenerator<InputValue, void, void> {
  const isText = format === undefined && guessInputFormat(file) === 'jsonl';
  const imported = isText ? await items.importFile?.(file) : null;
  if (imported) yield* renameFields(numbered(imported), map);
  else yield* readInputValues(file, { ...items, bare: items.bareText }, { format, map, signal });
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
  const id = findItemId(found.value);
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
  keyByLine = false,
): NewRunItem {
  const byContent = 'error' in read ? `line-${line}` : read.hash;
  const nameless = keyByLine && typeof found.written === 'string' ? sha256(found.written) : byContent;
  const item = { position: line, key: read.id ?? nameless, hash: read.hash };
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

/** The files that items name, as they wait in the ledger. */
type ItemFiles = (file: string) => Promise<StoredFile>;

interface FilesOptions {
  /** What paths are relative to; nothing outside it is reached. */
  root: string;
  /** What they are called in errors. */
  what: string;
  /**
   * Keeps them for workers on other machines. Without it they stay where they are, and are read when they are judged.
   */
  attachments?: Ledger['attachments'];
}

function itemFiles({ root, what, attachments }: FilesOptions): ItemFiles {
  return async (file) => {
    const place = resolveBelow(root, file, what);
    if (!attachments) return { file: place };
    const { name, bytes } = await loadFile(place);
    const { fileTypeFromBuffer } = await import('file-type');
    const hash = sha256(bytes);
    await attachments.keepAttachment({
      hash,
      mediaType: (await fileTypeFromBuffer(bytes))?.mime ?? 'application/octet-stream',
      data: bytes,
    });
    return { attachment: hash, name };
  };
}

/** Reads the input of a run from its beginning. */
export type RunItems = (reading: { signal: AbortSignal; onNote?: (text: string) => void }) => AsyncIterable<NewRunItem>;

/** The input of a run; on PostgreSQL, files that its items name go along, for workers on other machines. */
export function openRunItems(
  ledger: Ledger | null,
  job: Job,
  input: string,
  reading: RunReading & Pick<RunInputOptions, 'keyByLine'>,
): RunItems {
  const attachments = ledger?.kind === 'postgresql' ? { attachments: ledger.attachments } : {};
  return ({ signal, onNote }) =>
    readRunItems(input, job, {
      ...reading,
      ...attachments,
      signal,
      onUnknownLabel: (label, line) =>
        onNote?.(
          `line ${line}: the label ${JSON.stringify(label)} is not known, and is left out; --map-label says what ` +
            'it means.',
        ),
    });
}

/**
 * Reads the first item: what is wrong with all of them is said before there is a run. Standard input cannot be read
 * twice.
 */
export async function assertInputBegins(job: Job, input: string, reading: RunReading): Promise<void> {
  if (input === '-') return;
  const stop = new AbortController();
  const first = readRunItems(input, job, { ...reading, signal: stop.signal });
  await first.next();
  await first.return();
  stop.abort();
}
