import { AgonError } from '@agonhq/engine/agon-error';
import { decodeText, describeEncoding } from './decode-text.ts';
import { buildCube, describeLongTable, openLongTable, summarizeTable } from './long-tables/index.ts';
import type { RawCell, RawPart, RawReading, ReadingOptions } from './raw.ts';
import { splitRegions, type SheetGrid } from './split-regions.ts';

/** Reads a file of separated values; blank lines part the tables in it. */
export function readCsv(bytes: Uint8Array, { name, limits }: ReadingOptions): RawReading {
  const { text, encoding } = decodeText(bytes, name);
  const notes = describeEncoding(encoding);
  const dialect = detectDialect(text);
  const isQuoted = scanCsv(text, dialect, () => true);
  if (!isQuoted) notes.push('Its quotation marks do not match: they were read as letters.');
  const separators = isQuoted ? dialect : { ...dialect, quote: false as const };
  const rows: string[][] = [];
  let count = 0;
  let width = 0;
  let cells = 0;
  scanCsv(text, separators, (values) => {
    count += 1;
    width = Math.max(width, values.length);
    cells += values.length;
    if (count <= limits.heldRows && cells <= limits.heldCells) rows.push(values);
    return count <= limits.tableRows && width <= limits.tableColumns && count * width <= limits.tableCells;
  });
  if (width > limits.tableColumns) throw tooLarge(name, `a line of ${width} columns`, limits.tableColumns);
  if (count > limits.tableRows) throw tooLarge(name, `more than ${limits.tableRows} rows`, limits.tableRows);
  if (count * width > limits.tableCells) throw tooLarge(name, `${count * width} cells`, limits.tableCells);
  if (count > rows.length) return readLongTable(text, separators, rows, notes);
  const ragged = rows.filter((row) => row.length > 1 && row.length !== dialect.columns).length;
  if (ragged > 0) notes.push(`Rows with more or fewer than ${dialect.columns} values: ${ragged}.`);
  return { parts: readHeldRows(rows, dialect, width), notes };
}

function readHeldRows(rows: readonly string[][], dialect: Separators, width: number): RawPart[] {
  const blank = rows.filter(isBlankRow).length;
  const told = blank > rows.length * 0.3 ? rows.filter((row) => !isBlankRow(row)) : rows;
  const read = createNumberReader(told, dialect);
  const grid = told.map((row) => row.map((value) => buildCell(value, read)));
  const regions = splitRegions(grid, { acrossColumns: false });
  return regions.flatMap(
    (region, index) => (width > 1 ? readTitle(region, index < regions.length - 1) : null) ?? readParts(region),
  );
}

/** What stands above the table is read as of any file; then every row goes to its columns. */
function readLongTable(text: string, separators: Separators, held: readonly string[][], notes: string[]): RawReading {
  const sample = held.slice(0, 200);
  const parts = readHeldRows(sample, separators, 2);
  const above = parts.slice(
    0,
    parts.findLastIndex(({ rows }) => rows !== undefined),
  );
  const first = parts[above.length]?.rows ?? [];
  const start = sample.findIndex((row) => row.every((value, column) => value === first[0]?.[column]?.text));
  const read = createNumberReader(held, separators);
  const { collector, top } = openLongTable(first);
  let at = -1;
  let blank = 0;
  scanCsv(text, separators, (values) => {
    at += 1;
    if (at < start + top) return;
    if (isBlankRow(values)) blank += 1;
    else collector.add(values.map((value) => buildCell(value, read)));
  });
  const cube = buildCube(collector.finish(blank === 0 ? start + top : null));
  return { parts: [...above, ...summarizeTable(cube)], notes: [...notes, describeLongTable(cube)], longTables: [cube] };
}

function isBlankRow(row: readonly string[]): boolean {
  return row.every((value) => value.trim() === '');
}

function buildCell(text: string, read: (text: string) => number | null): RawCell {
  const value = read(text.trim());
  return value === null ? { text } : { text, value };
}

/** `1.234,56` or `1,234.56`: a file has one way, and its unmistakable numbers show which. */
function createNumberReader(
  rows: readonly (readonly string[])[],
  { delimiter }: Separators,
): (text: string) => number | null {
  let [commas, points] = [0, 0];
  for (const value of rows.flat()) {
    if (/^[-+]?\d{1,3}(?:\.\d{3})+,\d+$|^[-+]?(?:\d{1,3}|\d{4,}),(?:\d{1,2}|\d{4,})$/u.test(value.trim())) commas += 1;
    if (/^[-+]?\d{1,3}(?:,\d{3})+\.\d+$|^[-+]?\d+\.(?:\d{1,2}|\d{4,})$/u.test(value.trim())) points += 1;
  }
  const isComma =
    commas > points ||
    (commas === 0 &&
      points === 0 &&
      delimiter === ';' &&
      rows.flat().some((value) => /^\d{1,3}(?:\.\d{3})+$/u.test(value.trim())));
  const shape = isComma
    ? /^[-+]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/u
    : /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?$/u;
  return (text) => {
    if (!shape.test(text)) return null;
    return Number(isComma ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', ''));
  };
}

/** Words that a blank line parts from the tables of the file; null for anything else. */
function readTitle(rows: SheetGrid, isAbove: boolean): RawPart[] | null {
  const told = rows.map((row) => row.filter((cell) => cell !== null && cell.text.trim() !== ''));
  if (told.length > 3 || !told.every(([only, ...others]) => only && others.length === 0 && only.value === undefined))
    return null;
  return told.map(([only]) => ({ kind: 'paragraph', text: only!.text, ...(isAbove ? { caption: true } : {}) }));
}

/** Lines with a single value around a table are its title and its notes. */
function readParts(rows: readonly (readonly (RawCell | null)[])[]): RawPart[] {
  const told = rows.map((row) => row.filter((cell) => cell !== null && cell.text.trim() !== ''));
  const isText = (index: number): boolean =>
    told[index]!.length === 1 && rows[index]![0]?.text !== '' && told[index]![0]!.value === undefined;
  const width = told.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0) return [];
  if (width === 1) return [{ kind: 'table', rows: rows.map((row) => row.slice(0, 1)) }];
  let first = 0;
  while (first < rows.length && isText(first)) first += 1;
  let last = rows.length;
  while (last > first && isText(last - 1) && told[last - 1]![0]!.text.length > 20) last -= 1;
  const text = (index: number): RawPart => ({
    kind: 'paragraph',
    text: told[index]![0]!.text,
    ...(index < first ? { caption: true } : {}),
  });
  const indices = [...rows.keys()];
  return [
    ...indices.slice(0, first).map(text),
    { kind: 'table', rows: rows.slice(first, last) },
    ...indices.slice(last).map(text),
  ];
}

function tooLarge(name: string, size: string, limit: number): AgonError {
  return new AgonError(
    'document-too-large',
    `${name} has ${size}; the limit is ${limit}.`,
    `Split ${name}, or cut it to what is to be judged.`,
  );
}

export interface Dialect extends Separators {
  /** Most rows have so many. */
  columns: number;
}

const delimiters = [',', ';', '\t', '|', '#'];
const sampleRows = 100;
const sampleCharacters = 50_000;

/** How a file separates its values: what gives the most rows the same number of columns, and then the most columns. */
export function detectDialect(text: string): Dialect {
  const cut =
    text.length > sampleCharacters
      ? text.slice(0, text.lastIndexOf('\n', sampleCharacters) + 1 || sampleCharacters)
      : text;
  const quote = /(?:^|[,;\t|#])'[^'\n]*'(?=[,;\t|#\n])/u.test(cut) && !cut.includes('"') ? "'" : '"';
  let best: Dialect & { share: number } = { delimiter: ',', quote, columns: 1, share: 0 };
  for (const delimiter of delimiters) {
    const rows = parseSample(cut, { delimiter, quote }) ?? parseSample(cut, { delimiter, quote: false }) ?? [];
    const counts = new Map<number, number>();
    for (const row of rows) if (row.length > 1) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
    const [columns, count] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0];
    const share = count / Math.max(1, rows.length);
    if (share > best.share || (share === best.share && columns > best.columns))
      best = { delimiter, quote, columns, share };
  }
  return best.share < 0.3
    ? { delimiter: ',', quote, columns: 1 }
    : { delimiter: best.delimiter, quote, columns: best.columns };
}

/** Null where quotes do not match. */
function parseSample(text: string, separators: Separators): string[][] | null {
  const rows: string[][] = [];
  const isSound = scanCsv(text, separators, (values) => {
    if (!isBlankRow(values)) rows.push(values);
    return rows.length < sampleRows;
  });
  return isSound ? rows : null;
}

/** How a file separates its values. */
interface Separators {
  delimiter: string;
  quote: string | false;
}

const [newline, space] = [10, 32];

/**
 * Hands out the rows of separated values as they pass, until `onRow` returns false. A quotation mark within a value is
 * a letter. Returns false when one that opens a value is never closed.
 */
function scanCsv(text: string, { delimiter, quote }: Separators, onRow: (values: string[]) => boolean | void): boolean {
  const [comma, mark] = [delimiter.charCodeAt(0), quote === false ? -1 : quote.charCodeAt(0)];
  let at = 0;
  while (at < text.length) {
    const values: string[] = [];
    for (;;) {
      let value: string;
      if (mark !== -1 && text.charCodeAt(at) === mark) {
        const closed = findClosingQuote(text, at + 1, mark);
        if (closed === -1) return false;
        const end = findEnd(text, closed + 1, comma);
        const quoted = text.slice(at + 1, closed);
        const plain = isBlankBetween(text, closed + 1, end);
        value = plain
          ? quoted.replaceAll(`${quote as string}${quote as string}`, quote as string)
          : text.slice(at, end);
        at = end;
      } else {
        const end = findEnd(text, at, comma);
        value = text.slice(at, end);
        at = end;
      }
      values.push(value);
      if (text.charCodeAt(at) !== comma) break;
      at += 1;
    }
    at += 1;
    if (onRow(values) === false) return true;
  }
  return true;
}

function findClosingQuote(text: string, from: number, mark: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== mark) continue;
    if (text.charCodeAt(at + 1) !== mark) return at;
    at += 1;
  }
  return -1;
}

/** Where a value that begins or goes on here ends: at a delimiter, a line's end, or the end of all. */
function findEnd(text: string, from: number, comma: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || code === newline) break;
  }
  return at;
}

function isBlankBetween(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) !== space) return false;
  return true;
}
