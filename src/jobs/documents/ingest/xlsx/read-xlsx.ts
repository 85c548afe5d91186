import { zipSync } from 'fflate';
import readExcelFile from 'read-excel-file/universal';
import { AgonError } from '../../../../errors.ts';
import type { RawCell, RawPart, Reading, ReadingOptions } from '../raw.ts';
import { listZipEntries, unpackZip } from '../unpack-zip.ts';
import { formatDate, formatNumber } from './format-number.ts';
import { splitRegions, type SheetGrid } from '../split-regions.ts';
import { formatAddress, readSheetDetails, readFormats, listSheets, type SheetDetails } from './read-workbook.ts';

type SheetRows = Awaited<ReturnType<typeof readExcelFile>>[number]['data'];

/** Reads all sheets: the values as they were saved and are shown. Nothing is calculated, run or followed. */
export async function readXlsx(bytes: Uint8Array, { name, limits, signal }: ReadingOptions): Promise<Reading> {
  const notes = [...describeContents(listZipEntries(bytes, name, limits).map((entry) => entry.name))];
  const files = unpackZip(
    bytes,
    name,
    limits,
    (entry) => /^(?:xl\/|_rels\/|\[Content_Types\])/u.test(entry) && /\.(?:xml|rels)$/u.test(entry),
  );
  const links = [...files]
    .filter(([path]) => path.endsWith('.rels'))
    .reduce((count, [, file]) => count + countExternalTargets(file), 0);
  if (links > 0) notes.push(`Links out of the workbook were not followed (${links}).`);
  const sheets = listSheets(files).map((sheet) => ({ sheet, details: readSheetDetails(files, sheet.path) }));
  // One cell at the far end makes the library fill all before it: addresses are looked at first.
  for (const { sheet, details } of sheets) assertSheetSize(details.extent, name, sheet.name, limits);
  const values = await readValues(files, name);
  const formats = readFormats(files);
  const parts: RawPart[] = [];
  for (const { sheet, details } of sheets) {
    signal?.throwIfAborted();
    const grid = buildGrid(values.get(sheet.name) ?? [], details, formats);
    notes.push(...describeSheet(sheet, details, grid.length === 0));
    if (grid.length === 0) continue;
    parts.push({ kind: 'heading', text: sheet.name, level: 1, sheet: sheet.name });
    for (const region of splitRegions(grid)) parts.push(...buildParts(region, sheet.name));
  }
  return { parts, notes };
}

/** The library gets what was unpacked within the limits, packed again without compression. */
async function readValues(files: ReadonlyMap<string, Uint8Array>, name: string): Promise<Map<string, SheetRows>> {
  try {
    const packed = zipSync(Object.fromEntries(files), { level: 0 });
    const sheets = await readExcelFile(packed.buffer, { trim: false });
    return new Map(sheets.map(({ sheet, data }) => [sheet, data]));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AgonError(
      'corrupt-document',
      `${name} is not a sound workbook: ${why}.`,
      `Open it in a spreadsheet program and save ${name} again.`,
      { cause },
    );
  }
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

function describeSheet(sheet: { name: string; hidden: boolean }, details: SheetDetails, isEmpty: boolean): string[] {
  const notes: string[] = [];
  if (sheet.hidden) notes.push(`The sheet “${sheet.name}” is hidden.`);
  if (isEmpty) notes.push(`The sheet “${sheet.name}” is empty.`);
  if (details.hiddenRows > 0)
    notes.push(`The sheet “${sheet.name}” has hidden rows (${details.hiddenRows}), which were read too.`);
  if (details.hiddenColumns > 0) notes.push(`The sheet “${sheet.name}” has hidden columns, which were read too.`);
  if (details.unsaved > 0)
    notes.push(`The sheet “${sheet.name}” has formulas without a saved value, read as empty (${details.unsaved}).`);
  return notes;
}

function assertSheetSize(
  { rows, columns }: SheetDetails['extent'],
  name: string,
  sheet: string,
  limits: ReadingOptions['limits'],
): void {
  const cells = rows * columns;
  if (rows <= limits.tableRows && cells <= limits.tableCells) return;
  throw new AgonError(
    'document-too-large',
    `The sheet “${sheet}” of ${name} has ${rows} rows and ${cells} cells; the limits are ${limits.tableRows} and ` +
      `${limits.tableCells}.`,
    'Cut it to what is to be judged.',
  );
}

function buildGrid(rows: SheetRows, details: SheetDetails, formats: readonly string[]): SheetGrid {
  const grid: (RawCell | null)[][] = rows.map((row, rowIndex) =>
    row.map((value, column) => buildCell(value, formatAddress(rowIndex, column), details, formats)),
  );
  for (const [address, { error }] of details.cells) if (error !== undefined) putError(grid, address, error);
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  for (const merge of details.merges) {
    const span = {
      rows: Math.min(merge.rows, grid.length - merge.row),
      columns: Math.min(merge.columns, width - merge.column),
    };
    const first = grid[merge.row]?.[merge.column];
    if (!first || span.rows < 1 || span.columns < 1) continue;
    for (let row = merge.row; row < merge.row + span.rows; row += 1) {
      for (let column = merge.column; column < merge.column + span.columns; column += 1) {
        while (grid[row]!.length <= column) grid[row]!.push({ text: '' });
        grid[row]![column] = null;
      }
    }
    grid[merge.row]![merge.column] = { ...first, span };
  }
  return grid;
}

/** The library reads a failed formula as an empty cell; what the sheet shows there is its error. */
function putError(grid: (RawCell | null)[][], address: string, error: string): void {
  const match = /^([A-Z]{1,3})(\d{1,7})$/u.exec(address);
  const cell = match && grid[Number(match[2]) - 1]?.find((candidate) => candidate?.address === address);
  if (cell) cell.text = error;
}

function buildCell(value: unknown, address: string, details: SheetDetails, formats: readonly string[]): RawCell {
  const format = formats[details.cells.get(address)?.style ?? 0] ?? 'General';
  if (value === null || value === undefined) return { text: '', address };
  if (typeof value === 'number') return { text: formatNumber(value, format), value, address };
  if (value instanceof Date) return { text: formatDate(value, format), address };
  if (typeof value === 'boolean') return { text: value ? 'TRUE' : 'FALSE', address };
  return { text: typeof value === 'string' ? value : '', address };
}

/** A cell that stands alone, or a column of words, is text; all else is a table. */
function buildParts(region: SheetGrid, sheet: string): RawPart[] {
  const told = region.map((row) => row.filter((cell) => cell !== null && cell.text.trim() !== ''));
  const isColumn = told.every((row) => row.length <= 1);
  const isWords = told.flat().every((cell) => cell!.value === undefined);
  if (!isColumn || !isWords) return [{ kind: 'table', rows: region, sheet }];
  return told.flat().map((cell) => ({ kind: 'paragraph', text: cell!.text, sheet }));
}
