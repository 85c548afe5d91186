import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { isFingerprintHash } from '@agonhq/engine/fingerprint';
import { readCsvValues } from '@agonhq/engine/items';

/** One image of a list. */
export interface ListEntry {
  /** PDQ, 64 hexadecimal digits. */
  hash: string;
  /** What the list says it is, and where it comes from. */
  label: string | null;
  source: string | null;
}

const words = z
  .string()
  .trim()
  .max(200)
  .nullish()
  .transform((text) => text || null);
const hash = z.string().trim().toLowerCase().refine(isFingerprintHash, 'is not a PDQ hash: 64 hexadecimal digits');
const entrySchema = z.object({ hash, label: words, source: words });
const jsonSchema = z.union([z.array(z.unknown()), z.object({ hashes: z.array(z.unknown()) })]);

/** Something that may be an entry, and where it stands. */
interface Candidate {
  place: string;
  value: unknown;
}

/**
 * Reads a list of known images: a text file with one hash a line, a CSV with the columns hash, label and source, or
 * JSON. All or nothing: what is no entry is named with its line.
 */
export async function readKnownImageList(file: string): Promise<ListEntry[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw badList(`The list of known images ${file} cannot be read: ${why}.`, cause);
  });
  return parseKnownImageList(text, file);
}

export async function parseKnownImageList(text: string, file: string): Promise<ListEntry[]> {
  const readers: Record<string, typeof readCsv | typeof readJson> = { '.csv': readCsv, '.json': readJson };
  const read = readers[path.extname(file).toLowerCase()] ?? readLines;
  return (await read(text.replace(/^\uFEFF/, ''), file)).map(({ place, value }) => {
    const parsed = entrySchema.safeParse(typeof value === 'string' ? { hash: value } : value);
    if (parsed.success) return parsed.data;
    const { message, path: at } = parsed.error.issues[0]!;
    const field = at.join('.');
    throw badList(`${place} of ${file} is no entry of a list: ${field === '' ? '' : `${field} `}${message}.`);
  });
}

/** A hash, and after white space or a comma what it is; after another comma where it comes from. */
function readLines(text: string): Candidate[] {
  return text.split(/\r?\n/).flatMap((line, index): Candidate[] => {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) return [];
    const [, hash, label, source] = /^([^\s,]*)[\s,]*([^,]*)(?:,(.*))?/s.exec(content)!;
    return [{ place: `Line ${index + 1}`, value: { hash, label: label || undefined, source } }];
  });
}

async function readCsv(text: string, file: string): Promise<Candidate[]> {
  const columnsOf = (header: readonly string[]) =>
    header.map((name) => name.toLowerCase()).map((name) => (name === 'pdq' ? 'hash' : name));
  const found: Candidate[] = [];
  try {
    for await (const row of readCsvValues(Readable.from([text]), { name: file, delimiter: ',', columnsOf }))
      found.push({ place: `Line ${row.line}`, value: 'value' in row ? row.value : null });
  } catch (cause) {
    throw badList(`${file} is no CSV: ${(cause as Error).message}`, cause);
  }
  return found;
}

function readJson(text: string, file: string): Candidate[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badList(`${file} is no JSON: ${(cause as Error).message}.`, cause);
  }
  const parsed = jsonSchema.safeParse(value);
  if (!parsed.success) throw badList(`${file} is neither a list of hashes nor { "hashes": […] }.`);
  const entries = Array.isArray(parsed.data) ? parsed.data : parsed.data.hashes;
  return entries.map((entry, index) => ({ place: `Entry ${index + 1}${findLine(text, entry)}`, value: entry }));
}

/** The line of an entry, where its hash stands in the file once. */
function findLine(text: string, entry: unknown): string {
  const written = typeof entry === 'string' ? entry : z.object({ hash: z.string() }).safeParse(entry).data?.hash;
  const at = written === undefined ? -1 : text.indexOf(JSON.stringify(written));
  return at < 0 ? '' : ` (line ${text.slice(0, at).split('\n').length})`;
}

function badList(message: string, cause?: unknown): AgonError {
  return new AgonError(
    'bad-known-images',
    message,
    'docs/care.md shows the format. Until the list can be read, no image is judged.',
    cause === undefined ? {} : { cause },
  );
}
