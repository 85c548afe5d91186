import { AgonError } from '@agonhq/engine/agon-error';
import { buildCube, describeLongTable, openLongTable, summarizeTable, type Cube } from '../long-tables/index.ts';
import type { RawCell, RawPart, RawReading, ReadingOptions } from '../raw.ts';
import { splitRegions, type SheetGrid } from '../split-regions.ts';
import { listZipEntries, streamZipEntry, unpackZip } from '../unpack-zip.ts';
import { formatAddress } from './format-address.ts';
import { openFormulas, type FormulaResult } from './formulas/index.ts';
import { holdSheet, readLongValue, type HeldSheet, type WorkbookParts } from './hold-sheet.ts';
import { countsFrom1904, listSheets, readFormats, readSharedTexts, type SheetInfo } from './read-workbook.ts';
import { scanSheet, type SheetCell, type SheetDetails } from './scan-sheet.ts';

interface ReadSheet {
  sheet: SheetInfo;
  details: SheetDetails;
  held: HeldSheet;
  /** What goes on after the held rows. */
  long: { cube: Cube; uncomputed: number } | null;
}

/** Reads all sheets: values as they were saved and are shown, formulas without one computed. Nothing is followed. */
export async function readXlsx(bytes: Uint8Array, { name, limits, signal }: ReadingOptions): Promise<RawReading> {
  const entries = listZipEntries(bytes, name, limits);
  const notes = [...describeContents(entries.map((entry) => entry.name))];
  const files = unpackZip(
    bytes,
    name,
    limits,
    (entry) =>
      /^(?:xl\/|_rels\/)/u.test(entry) &&
      /\.(?:xml|rels)$/u.test(entry) &&
      !/^xl\/worksheets\/[^/]+\.xml$/u.test(entry),
  );
  const links = [...files]
    .filter(([path]) => path.endsWith('.rels'))
    .reduce((count, [, file]) => count + countExternalTargets(file), 0);
  if (links > 0) notes.push(`Links out of the workbook were not followed (${links}).`);
  const infos = listSheets(files);
  if (infos.length === 0) throw notSound(name, 'it has no sheets');
  const workbook = { texts: readSharedTexts(files), formats: readFormats(files), from1904: countsFrom1904(files) };
  const sheets: ReadSheet[] = [];
  for (const sheet of infos) {
    signal?.throwIfAborted();
    sheets.push(readSheet(sheet));
  }
  const compute = sheets.some(({ held }) => held.open.length > 0)
    ? await openFormulas(sheets.map(({ held }) => held))
    : null;
  const parts: RawPart[] = [];
  for (const read of sheets) {
    signal?.throwIfAborted();
    const results = computeOpen(read.held, compute);
    const told = tellSheet(read, (row, column) => results.get(`${row}:${column}`)!);
    notes.push(...describeSheet(read, told.length === 0), ...describeFormulas(read, results));
    if (told.length > 0)
      parts.push({ kind: 'heading', text: read.sheet.name, level: 1, sheet: read.sheet.name }, ...told);
  }
  return { parts, notes, longTables: sheets.flatMap(({ long }) => (long ? [long.cube] : [])) };

  function readSheet(sheet: SheetInfo): ReadSheet {
    const entry = entries.find((one) => one.name === sheet.path);
    const held = holdSheet(sheet.name, workbook);
    const beyond = collectLongRows(held, sheet.name, workbook, limits);
    const scan = scanSheet((cell, extent) => {
      assertSheetSize(extent, name, sheet.name, limits);
      beyond.add(cell);
    });
    if (entry) {
      const decoder = new TextDecoder();
      streamZipEntry(bytes, name, entry, (piece, isLast) => scan.write(decoder.decode(piece, { stream: !isLast })));
    }
    const details = scan.end();
    assertSheetSize(details.extent, name, sheet.name, limits);
    return { sheet, details, held, long: beyond.finish() };
  }
}

/** Holds the first rows of a sheet; where there are many more, all go to columns. */
function collectLongRows(
  held: HeldSheet,
  sheet: string,
  workbook: WorkbookParts,
  { heldRows, heldCells }: ReadingOptions['limits'],
) {
  let columns: { collector: ReturnType<typeof openLongTable>['collector']; top: number } | null = null;
  let [row, count, cells, uncomputed, gaps] = [-1, 0, 0, 0, 0];
  let isHeld = true;
  let line: RawCell[] = [];
  const endRow = (): void => {
    if (columns && line.length > 0) columns.collector.add(line);
    line = [];
  };
  return {
    add(cell: SheetCell): void {
      if (cell.row !== row) {
        endRow();
        count += 1;
        if (columns && cell.row !== row + 1) gaps += 1;
        row = cell.row;
        isHeld &&= count <= heldRows && cells <= heldCells;
      }
      cells += 1;
      if (isHeld) {
        held.put(cell);
        return;
      }
      columns ??= beginLongTable(held, sheet);
      if (cell.value === null) uncomputed += 1;
      while (line.length < cell.column) line.push({ text: '' });
      line[cell.column] = readLongValue(cell, workbook);
    },
    finish(): ReadSheet['long'] {
      endRow();
      if (!columns) return null;
      uncomputed += held.open.length;
      return { cube: buildCube(columns.collector.finish(gaps === 0 ? columns.top : null)), uncomputed };
    },
  };
}

/** The rows so far: the last region of the sheet is the table that goes on. */
function beginLongTable(held: HeldSheet, sheet: string) {
  const none = { merges: [], extent: { rows: 0, columns: 0 }, hiddenRows: 0, hiddenColumns: 0 };
  const grid = held.show(none, () => ({ value: null, why: 'not read' }));
  const first = splitRegions(grid, { acrossColumns: false }).at(-1) ?? [];
  const { collector, body, top } = openLongTable(first.slice(0, 200), sheet);
  for (const line of [...body, ...first.slice(200)]) collector.add(line);
  return { collector, top };
}

function computeOpen(
  held: HeldSheet,
  compute: ((sheet: string, row: number, column: number) => FormulaResult) | null,
): Map<string, FormulaResult> {
  const results = new Map<string, FormulaResult>();
  // Once down and once up: what builds on others below it finds them the second time.
  for (const cells of [held.open, held.open.toReversed()])
    for (const { row, column } of cells) {
      const key = `${row}:${column}`;
      const known = results.get(key);
      if (known === undefined || known.why !== undefined) results.set(key, compute!(held.name, row, column));
    }
  return results;
}

function tellSheet(
  { sheet, details, held, long }: ReadSheet,
  compute: (row: number, column: number) => FormulaResult,
): RawPart[] {
  if (long) return summarizeTable(long.cube);
  return splitRegions(held.show(details, compute)).flatMap((region) => buildParts(region, sheet.name));
}

function describeContents(entries: readonly string[]): string[] {
  const count = (pattern: RegExp): number => entries.filter((entry) => pattern.test(entry)).length;
  const notes: string[] = [];
  if (count(/vbaProject\.bin$/iu) > 0) notes.push('It holds macros, which were not run.');
  const books = count(/^xl\/externalLinks\/[^/]+\.xml$/iu);
  if (books > 0) notes.push(`It draws on other workbooks, which were not opened (${books}).`);
  if (count(/^xl\/connections\.xml$/iu) > 0) notes.push('It has connections to data elsewhere, which were not used.');
  const charts = count(/^xl\/charts\/chart[^/]*\.xml$/iu);
  if (charts > 0) notes.push(`Charts were not read (${charts}).`);
  const comments = count(/^xl\/(?:threadedComments\/|comments)[^/]*\.xml$/iu);
  if (comments > 0) notes.push(`Comments on cells were not read (in ${comments} places).`);
  return notes;
}

function countExternalTargets(file: Uint8Array): number {
  return new TextDecoder().decode(file).split('TargetMode="External"').length - 1;
}

function describeSheet({ sheet, details, long }: ReadSheet, isEmpty: boolean): string[] {
  const notes: string[] = [];
  if (sheet.hidden) notes.push(`The sheet “${sheet.name}” is hidden.`);
  if (isEmpty) notes.push(`The sheet “${sheet.name}” is empty.`);
  if (details.hiddenRows > 0)
    notes.push(`The sheet “${sheet.name}” has hidden rows (${details.hiddenRows}), which were read too.`);
  if (details.hiddenColumns > 0) notes.push(`The sheet “${sheet.name}” has hidden columns, which were read too.`);
  if (long) notes.push(describeLongTable(long.cube));
  return notes;
}

const mostNamed = 12;

/** What was computed, and what was not, and why. */
function describeFormulas({ sheet, long }: ReadSheet, results: ReadonlyMap<string, FormulaResult>): string[] {
  const where = `The sheet “${sheet.name}” has formulas without a saved value`;
  if (long) return long.uncomputed === 0 ? [] : [`${where}, which were not computed (${long.uncomputed}).`];
  const cells = [...results].map(([key, { why }]) => {
    const [row, column] = key.split(':').map(Number);
    return { address: formatAddress(row!, column!), why };
  });
  const list = (named: readonly string[]): string =>
    named.length > mostNamed
      ? `${named.slice(0, mostNamed).join(', ')} and ${named.length - mostNamed} more`
      : named.join(', ');
  const done = cells.filter(({ why }) => why === undefined).map(({ address }) => address);
  const open = cells.filter(({ why }) => why !== undefined).map(({ address, why }) => `${address} (${why})`);
  return [
    ...(done.length > 0 ? [`${where}: ${done.length} computed here: ${list(done)}.`] : []),
    ...(open.length > 0 ? [`${where}: ${open.length} not computed: ${list(open)}.`] : []),
  ];
}

function assertSheetSize(
  { rows, columns }: SheetDetails['extent'],
  name: string,
  sheet: string,
  limits: ReadingOptions['limits'],
): void {
  const cells = rows * columns;
  if (rows <= limits.tableRows && columns <= limits.tableColumns && cells <= limits.tableCells) return;
  throw new AgonError(
    'document-too-large',
    `The sheet “${sheet}” of ${name} reaches ${rows} rows and ${cells} cells; the limits are ${limits.tableRows} and ` +
      `${limits.tableCells}.`,
    'Cut it to what is to be judged.',
  );
}

function notSound(name: string, why: string): AgonError {
  return new AgonError(
    'corrupt-document',
    `${name} is not a sound workbook: ${why}.`,
    `Open it in a spreadsheet program and save ${name} again.`,
  );
}

/** A cell that stands alone, or a column of words, is text; all else is a table. */
function buildParts(region: SheetGrid, sheet: string): RawPart[] {
  const told = region.map((row) => row.filter((cell) => cell !== null && cell.text.trim() !== ''));
  const isColumn = told.every((row) => row.length <= 1);
  const isWords = told.flat().every((cell) => cell!.value === undefined);
  if (!isColumn || !isWords) return [{ kind: 'table', rows: region, sheet }];
  return told.flat().map((cell) => ({ kind: 'paragraph', text: cell!.text, sheet }));
}
