import { readCsvValues, readJsonValues, type InputValue } from '@agonhq/engine/items';
import { AgonError } from '@agonhq/engine/agon-error';
import { isObject, type DataFormat, type DatasetRow } from './format.ts';
import { listFormats, recognizeDocument } from './formats.ts';
import { readListMembers } from './read-json-list.ts';
import { readBeginning, openUnpacked, plainName, readingError } from './open-data.ts';

/** A member of a list, a line, a row of a table. */
const largestEntry = 64 * 1024 * 1024;
/** A file that is one object is read whole. */
const largestObject = 256 * 1024 * 1024;

/**
 * The entries of a file as they stand there. `layout` is what the whole file is, where it is one object that only one
 * format has.
 */
export interface DataRows {
  values: AsyncIterable<InputValue>;
  layout: DataFormat | null;
}

/**
 * The rows of a file: JSON Lines, a JSON list, CSV or TSV with a header, each one at a time; a JSON object, whole.
 * All of them may be packed with gzip. What a file is its name and its beginning say: some are lists that are named
 * .jsonl.
 */
export async function readRows(
  file: string,
  { example, asked }: { example: string; asked?: DataFormat },
): Promise<DataRows> {
  const beginning = await readBeginning(file).catch((error: unknown) => {
    throw readingError(error, file);
  });
  if (beginning.startsWith('PK\u0003\u0004')) return zippedRows(file, asked);
  const shape = shapeOf(plainName(file), beginning);
  if (shape === 'object') return objectRows(file, asked);
  const values = shape === 'list' ? membersOf(file) : shape === 'lines' ? linesOf(file, example) : tableOf(file, shape);
  return { values: clearly(values, file), layout: null };
}

type Shape = 'lines' | 'list' | 'object' | ',' | '\t';

function shapeOf(name: string, beginning: string): Shape {
  if (/\.csv$/i.test(name)) return ',';
  if (/\.(tsv|tab)$/i.test(name)) return '\t';
  const text = beginning.trimStart();
  const [first = ''] = text.split('\n', 1);
  // A file of lines whose first line is whole, whatever it holds.
  const whole = text.length > first.length && isJson(first);
  if (text.startsWith('[')) return whole && !/\.json$/i.test(name) ? 'lines' : 'list';
  if (!text.startsWith('{') || whole) return 'lines';
  const laidOut = /^\{\s*$/.test(first);
  return laidOut || /\.json$/i.test(name) ? 'object' : 'lines';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function* linesOf(file: string, example: string): AsyncGenerator<InputValue, void, void> {
  const input = await openUnpacked(file);
  try {
    yield* readJsonValues(shortLines(input as AsyncIterable<Uint8Array>, plainName(file)), { example });
  } finally {
    input.destroy();
  }
}

/** A file without line breaks must not come into memory as one line. */
async function* shortLines(input: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void, void> {
  let since = 0;
  for await (const chunk of input) {
    const last = chunk.lastIndexOf(0x0a);
    const first = last < 0 ? -1 : chunk.indexOf(0x0a);
    if (since + (first < 0 ? chunk.length : first) > largestEntry) {
      throw new AgonError(
        'file-too-large',
        `${name} has a line of more than ${Math.round(largestEntry / 1e6)} MB: it does not hold one item a line.`,
        'Name a JSON file .json, or write one item a line.',
      );
    }
    since = last < 0 ? since + chunk.length : chunk.length - last - 1;
    yield chunk;
  }
}

async function* membersOf(file: string): AsyncGenerator<InputValue, void, void> {
  const input = await openUnpacked(file);
  let line = 0;
  try {
    for await (const text of readListMembers(withoutMark(input as AsyncIterable<Uint8Array>), {
      name: plainName(file),
      largest: largestEntry,
    })) {
      line += 1;
      yield { line, written: text, ...parsed(text) };
    }
  } finally {
    input.destroy();
  }
}

function parsed(text: string): { value: unknown } | { error: AgonError } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return {
      error: new AgonError(
        'broken-line',
        `The entry is not JSON: ${(error as Error).message}.`,
        'Each entry of the list is one JSON object.',
        { cause: error },
      ),
    };
  }
}

async function* withoutMark(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let first = true;
  for await (const chunk of input) {
    yield first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
    first = false;
  }
}

async function* tableOf(file: string, delimiter: ',' | '\t'): AsyncGenerator<InputValue, void, void> {
  const input = await openUnpacked(file);
  try {
    let columns: readonly string[] = [];
    const rows = readCsvValues(input, {
      name: plainName(file),
      delimiter,
      columnsOf: (header) => (columns = distinct(header, plainName(file))),
      hint: 'Correct the file.',
    });
    // A cell that is empty is there nevertheless: a format is known by its columns.
    for await (const row of rows)
      yield 'value' in row
        ? { ...row, value: { ...Object.fromEntries(columns.map((column) => [column, ''])), ...(row.value as object) } }
        : row;
  } finally {
    input.destroy();
  }
}

/** Of two columns with one name nobody knows which is meant. */
function distinct(header: readonly string[], name: string): readonly string[] {
  const twice = header.find((column, index) => column !== '' && header.indexOf(column) < index);
  if (twice !== undefined)
    throw new AgonError('broken-csv', `${name} has two columns called ${twice}.`, 'Rename or remove one of them.');
  return header;
}

/** An archive is what the one format makes of it that comes in archives. */
function zippedRows(file: string, asked: DataFormat | undefined): DataRows {
  const format = asked ?? listFormats().find((known) => known.format.unzip)!.format;
  if (format.unzip) return { values: clearly(numberedApart(format.unzip(file)), file), layout: format };
  throw new AgonError(
    'wrong-format',
    `${plainName(file)} is a ZIP archive, in which no ${format.name} comes.`,
    'Unpack it, or leave out --format.',
  );
}

async function* numberedApart(values: AsyncIterable<unknown>): AsyncGenerator<InputValue, void, void> {
  let line = 0;
  for await (const value of values) {
    line += 1;
    yield AgonError.is(value) ? { line, written: null, error: value } : { line, written: value, value };
  }
}

async function objectRows(file: string, asked: DataFormat | undefined): Promise<DataRows> {
  const document = await wholeObject(file);
  const known = asked?.rows ? { format: asked, rows: asked.rows(document) } : recognizeDocument(document);
  if (known?.rows === null) {
    throw new AgonError(
      'wrong-format',
      `${plainName(file)} is not laid out as ${known.format.name} is: ${known.format.columns}.`,
      'Name its layout with --format; `agon bench datasets` lists them.',
    );
  }
  return { values: numbered(known ? known.rows : rowsOfObject(document)), layout: known?.format ?? null };
}

async function wholeObject(file: string): Promise<DatasetRow> {
  const name = plainName(file);
  const pieces: Uint8Array[] = [];
  let size = 0;
  const input = await openUnpacked(file);
  try {
    for await (const piece of input as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      size += piece.length;
      if (size > largestObject) {
        throw new AgonError(
          'file-too-large',
          `${name} is one JSON object of more than ${Math.round(largestObject / 1e6)} MB, which would have to be ` +
            'in memory at once.',
          'Write one item a line (JSONL), or a JSON list: those are read piece by piece.',
        );
      }
    }
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))) as DatasetRow;
  } catch (error) {
    const known = readingError(error, file);
    if (AgonError.is(known)) throw known;
    throw new AgonError(
      'broken-json',
      `${name} is not JSON: ${(error as Error).message}.`,
      'Get the file again, or correct it.',
      { cause: error },
    );
  } finally {
    input.destroy();
  }
}

/** A list in an object, objects by their names, or the object alone. */
function rowsOfObject(document: DatasetRow): unknown[] {
  const members = Object.entries(document);
  const lists = members.filter(([, member]) => Array.isArray(member) && member.some(isObject));
  if (lists.length === 1) return lists[0]![1] as unknown[];
  if (members.length > 0 && members.every(([, member]) => isObject(member)))
    return members.map(([id, member]) => ({ id, ...(member as DatasetRow) }));
  return [document];
}

async function* numbered(values: readonly unknown[]): AsyncGenerator<InputValue, void, void> {
  for (const [index, value] of values.entries()) yield { line: index + 1, written: value, value };
}

/** Failures of packing in one line. */
async function* clearly(values: AsyncIterable<InputValue>, file: string): AsyncGenerator<InputValue, void, void> {
  try {
    yield* values;
  } catch (error) {
    throw readingError(error, file);
  }
}
