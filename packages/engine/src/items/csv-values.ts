import { pipeline } from 'node:stream';
import { AgonError } from '../agon-error.ts';
import type { InputValue } from './input-values.ts';
import type { OpenInput } from './item-lines.ts';

export interface CsvReading {
  /** What the input is called, for errors. */
  name: string;
  delimiter: ',' | '\t';
  /** What the columns are called here, '' for those that are not read; throws when they cannot make an item. */
  columnsOf(header: readonly string[]): readonly string[];
  /** What to do about a file that cannot be read on; by default what stands before that is judged. */
  hint?: string;
}

/** No item is larger; a quote that is never closed must not bring the rest of a file into memory. */
const largestRow = 64 * 1024 * 1024;

/**
 * The rows of CSV with a header, one at a time, as objects of texts by column; empty cells are left out. What cannot be
 * read is an error in its place; a quote that is never closed ends the reading, for nobody knows where the next row
 * begins.
 */
export async function* readCsvValues(
  input: OpenInput,
  { name, delimiter, columnsOf, hint = 'Correct the file; what stands before is judged.' }: CsvReading,
): AsyncGenerator<InputValue, void, void> {
  const { CsvError, parse } = await import('csv-parse');
  // As bytes: what is not UTF-8 must be found, not replaced.
  const parser = parse({
    delimiter,
    encoding: null,
    info: true,
    record_delimiter: ['\r\n', '\n'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: largestRow,
  });
  // An error of the input comes out of the parser.
  const rows: AsyncIterable<{ record: Buffer[]; info: { lines: number } }> = pipeline(
    input,
    withoutMark,
    parser,
    () => {},
  );
  let columns: readonly string[] | null = null;
  let next = 1;
  let returns = 0;
  try {
    for await (const { record, info } of rows) {
      // The parser counts a carriage return in a cell as a line of its own, and says on which line a row ends.
      returns += occurrences(record, 0x0d);
      const last = info.lines - returns;
      const line = last - occurrences(record, 0x0a);
      next = last + 1;
      const cells = decoded(record);
      if (columns === null) {
        if (cells === null)
          throw new AgonError(
            'broken-csv',
            `The header of ${name} is not text in UTF-8.`,
            'Convert the file to UTF-8.',
          );
        columns = columnsOf(cells.map((cell) => cell.trim()));
      } else if (cells === null) {
        yield {
          line,
          written: record.map((cell) => cell.toString('latin1')),
          error: new AgonError('broken-line', 'The row is not text in UTF-8.', 'Convert the file to UTF-8.'),
        };
      } else if (cells.some((cell) => cell !== '')) yield { line, written: cells, ...rowOf(cells, columns) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AgonError(
      'broken-csv',
      `${name} cannot be read on from line ${next}: ${reasons[error.code] ?? error.message}.`,
      hint,
      { cause: error },
    );
  } finally {
    input.destroy();
  }
}

const reasons: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote that opens there is never closed',
  CSV_MAX_RECORD_SIZE: 'a quote that opens there seems never to be closed',
};

function rowOf(cells: readonly string[], columns: readonly string[]): { value: object } | { error: AgonError } {
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    return {
      error: new AgonError(
        'broken-line',
        `The row has ${cells.length} cells, and the header ${columns.length}.`,
        'Put a cell that holds the delimiter into quotes.',
      ),
    };
  }
  return {
    value: Object.fromEntries(
      columns.flatMap((column, index) =>
        column === '' || (cells[index] ?? '') === '' ? [] : [[column, cells[index]]],
      ),
    ),
  };
}

const byteOrderMark = Buffer.from('\uFEFF');

async function* withoutMark(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let begun = Buffer.alloc(0);
  let started = false;
  for await (const piece of input) {
    const chunk = Buffer.from(piece as Uint8Array);
    if (started) {
      yield chunk;
      continue;
    }
    begun = Buffer.concat([begun, chunk]);
    if (begun.length < byteOrderMark.length) continue;
    started = true;
    yield begun.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? begun.subarray(byteOrderMark.length) : begun;
  }
  if (!started && begun.length > 0) yield begun;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(cells: readonly Buffer[]): string[] | null {
  try {
    return cells.map((cell) => utf8.decode(cell));
  } catch {
    return null;
  }
}

function occurrences(cells: readonly Buffer[], byte: number): number {
  let count = 0;
  for (const cell of cells) for (let at = cell.indexOf(byte); at !== -1; at = cell.indexOf(byte, at + 1)) count += 1;
  return count;
}
