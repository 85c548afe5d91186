import { AgonError } from '@agonhq/engine/agon-error';
import {
  categoryOf,
  fieldReader,
  readNotes,
  type ItemReading,
  type LabelledItem,
} from '../../datasets/labelled-item.ts';
import { resolveBelow } from '@agonhq/engine/items';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

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

export const claimClasses = ['entailed', 'refuted', 'neutral'] as const;
/** What is right of a claim: the document says so, says otherwise, or does not say. */
export type ClaimClass = (typeof claimClasses)[number];

/**
 * What a claim is held against: a file, an entry of one (`contracts.json#17`), or the text itself. With `others`, the
 * first file that there is.
 */
export type ClaimSource = { path: string; entry: string | null; others?: readonly string[] } | { text: string };

/** A claim whose right label is known. */
export interface LabelledClaim extends LabelledItem {
  claim: string;
  label: ClaimClass;
  source: ClaimSource;
  /** The numbers of the document's parts that decide, as the document counts them; null where the data does not say. */
  evidence: readonly number[] | null;
}

const knownLabels: ReadonlyMap<string, ClaimClass> = new Map([
  ...['entailed', 'entailment', 'consistent', 'supported', 'true', '1'].map((word) => [word, 'entailed'] as const),
  ...['refuted', 'contradiction', 'contradicted', 'inconsistent', 'false', '0'].map(
    (word) => [word, 'refuted'] as const,
  ),
  ...['neutral', 'notmentioned', 'unsupported'].map((word) => [word, 'neutral'] as const),
]);

const hint =
  'An item has "claim", "label" (entailed/refuted/neutral, consistent/inconsistent, 1/0) and "doc" or "doc_text"; ' +
  '--map and --map-label name them otherwise.';

/** Reads one line of a dataset of documents. Paths are relative to where its reader says. */
export function readLabelledClaim(value: unknown, { fields, labels, by = 'category' }: ItemReading): LabelledClaim {
  const field = fieldReader(value, fields, hint);
  const broken = (message: string) => new AgonError('broken-line', message, hint);
  const claim = field('claim');
  if (typeof claim !== 'string') throw broken('The item has no claim.');
  const notes = readNotes(field, {
    labels,
    known: (text) => knownLabels.get(text.toLowerCase().replaceAll(/[\s_-]/gu, '')),
    hint,
  });
  const source = sourceOf(field('doc_text'), field('doc'));
  if (!source) throw broken('The item has no document.');
  return {
    ...notes,
    category: categoryOf(field(by)),
    modality: 'claim',
    claim,
    source,
    evidence: numbersIn(field('evidence_ids')),
  };
}

function sourceOf(text: unknown, doc: unknown): ClaimSource | null {
  if (typeof text === 'string') return { text };
  if (typeof doc === 'string') return fileOf(doc);
  if (!Array.isArray(doc) || doc.length === 0 || !doc.every((place): place is string => typeof place === 'string'))
    return null;
  const [path, ...others] = doc as [string, ...string[]];
  return { path, entry: null, others };
}

function fileOf(doc: string): ClaimSource {
  const at = doc.lastIndexOf('#');
  return at < 0 ? { path: doc, entry: null } : { path: doc.slice(0, at), entry: doc.slice(at + 1) };
}

function numbersIn(value: unknown): readonly number[] | null {
  const list: unknown = typeof value === 'string' && /^\s*\[[\d\s,]*\]\s*$/.test(value) ? JSON.parse(value) : value;
  return Array.isArray(list) && list.every((one): one is number => Number.isInteger(one)) ? list : null;
}
