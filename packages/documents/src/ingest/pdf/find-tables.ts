import { isPeriod } from '../../tables/classify-cell.ts';
import {
  boundCells,
  splitCells,
  isNumberText,
  isValue,
  type LaidCell,
  type LaidTable,
  joinLevelLines,
} from './split-cells.ts';
import { upperMedian } from '@agonhq/engine/statistics';
import { right, union } from './geometry.ts';
import type { Rule } from './read-graphics.ts';
import { cutHeadings, findColumns, heads, placeRow, type PdfColumn, type PdfRow } from './find-table-columns.ts';
import type { PdfLine } from './build-lines.ts';
import { isLabel, mergeHeader, mergeLabels, mergeWrapped, year } from './merge-table-rows.ts';

/** So many lines of a table in a row may hold a label only. */
const mostLabels = 4;

/** Finds tables by columns that several lines share. Returns lines and tables from top to bottom. */
export function findTables(lines: readonly PdfLine[], rules: readonly Rule[] = []): (PdfLine | LaidTable)[] {
  const found: (PdfLine | LaidTable)[] = [];
  const rows = joinLevelLines(lines).map((line): PdfRow => ({ line, cells: splitCells(line) }));
  const width = lines.length > 0 ? union(lines).width : 0;
  for (let index = 0; index < rows.length;) {
    const end = rows[index]!.cells.length >= 2 ? findTableEnd(rows, index, width) : index;
    const start = end > index ? findTableStart(rows, index, end, found) : index;
    const pieces = end > index ? splitAtHeaders(rows.slice(start, end)) : [];
    const things = pieces.flatMap(({ above, rows: own }) => [
      ...above.map((row) => row.line),
      ...buildTableOrLines(own, rules),
    ]);
    if (things.some((thing) => 'cells' in thing)) {
      found.splice(found.length - (index - start), index - start, ...things);
      index = end;
    } else {
      found.push(rows[index]!.line);
      index += 1;
    }
  }
  return found;
}

function buildTableOrLines(rows: readonly PdfRow[], rules: readonly Rule[]): (PdfLine | LaidTable)[] {
  const table = buildTable(rows, rules);
  return table ? [table] : rows.map((row) => row.line);
}

/** The first line after those that may belong to the table that begins at `start`. */
function findTableEnd(rows: readonly PdfRow[], start: number, width: number): number {
  let end = start + 1;
  let extent = union(rows[start]!.cells);
  for (let index = start + 1, labels = 0; index < rows.length; index += 1) {
    const row = rows[index]!;
    const above = rows[index - 1]!.line;
    if (row.line.baseline - above.baseline > 4.5 * Math.max(row.line.size, above.size)) break;
    if (row.cells.length >= 2) {
      labels = 0;
      end = index + 1;
      extent = union([extent, ...row.cells]);
      continue;
    }
    labels += 1;
    const next = rows.slice(index + 1, index + mostLabels).find((later) => later.cells.length >= 2);
    const valuesAt = Math.min(
      ...rows
        .slice(start, index)
        .concat(next ?? [])
        .flatMap((one) =>
          one.cells
            .slice(1)
            .filter((cell) => isValue(cell.text))
            .map((cell) => cell.x),
        ),
    );
    const reach = next ? union([extent, ...next.cells]).width : extent.width;
    const isProse =
      row.line.width > 0.72 * Math.max(reach, width * 0.5) &&
      !row.line.text.endsWith(':') &&
      right(row.line) > valuesAt - 1;
    if (isProse || labels > mostLabels) break;
  }
  // A label that goes on below the last row.
  const next = rows[end];
  const last = rows[end - 1]!;
  if (next && continuesLabel(last, next, measurePitch(rows.slice(start, end)))) end += 1;
  return end;
}

/** The end of a label below its numbers: it reads on, or stands nearer than rows do. */
function continuesLabel(last: PdfRow, next: PdfRow, pitch: number): boolean {
  if (
    next.cells.length !== 1 ||
    !isTight(last.line, next.line) ||
    right(next.line) > right(last.cells[0]!) + 4 * last.line.size
  )
    return false;
  const isNear =
    next.line.baseline - last.line.baseline < 0.8 * pitch &&
    next.line.bold === last.line.bold &&
    next.line.size === last.line.size;
  return (
    /^[\p{Ll}(]/u.test(next.line.text) ||
    (isNear && Math.abs(next.line.x - last.line.x) < 1 && right(next.line) <= right(last.cells[0]!))
  );
}

function measurePitch(rows: readonly PdfRow[]): number {
  const steps = rows
    .slice(1)
    .flatMap((row, index) =>
      row.cells.length >= 2 && rows[index]!.cells.length >= 2 ? [row.line.baseline - rows[index]!.line.baseline] : [],
    );
  return upperMedian(steps) ?? 0;
}

/** Headings over the columns that stand above the first line with several cells: "Years ended". */
function findTableStart(rows: readonly PdfRow[], first: number, end: number, found: readonly unknown[]): number {
  const body = rows.slice(first, end).filter((row) => row.cells.length >= 2);
  const labels = Math.min(...body.map((row) => row.cells[0]!.x));
  const values = upperMedian(body.map((row) => row.cells[1]!.x)) ?? 0;
  let start = first;
  while (start > 0 && found.length - (first - start) > 0 && first - start < 3) {
    const above = rows[start - 1]!.line;
    if (found[found.length - 1 - (first - start)] !== above) break;
    const overValues =
      above.x > Math.max(labels + 0.25 * (values - labels), values - 6 * above.size) && !/^\(.*\)$/.test(above.text);
    if (
      !overValues ||
      rows[start]!.line.baseline - above.baseline > 2.2 * above.size ||
      above.width > 0.8 * (right(union(body.map((row) => row.line))) - labels)
    )
      break;
    start -= 1;
  }
  return start;
}

/** A table right below another begins with headings after rows of numbers; what names it stands between the two. */
function splitAtHeaders(rows: readonly PdfRow[]): { above: PdfRow[]; rows: PdfRow[] }[] {
  const pieces: { above: PdfRow[]; rows: PdfRow[] }[] = [{ above: [], rows: [] }];
  let numbers = 0;
  let valuesAt = Infinity;
  for (const [index, row] of rows.entries()) {
    const { rows: open } = pieces.at(-1)!;
    const last = open.findLastIndex((one) => one.cells.length >= 2);
    const above = rows[index - 1];
    const isApart = above && (!isTight(above.line, row.line) || heads.test(row.line.text));
    const isFresh =
      above && numbers >= 2 && ((isApart && headsColumns(row, valuesAt)) || namesColumns(row, open.slice(last + 1)));
    if (isFresh && rows.slice(index + 1, index + 16).some(hasNumbers)) {
      // The end of a label that is set in two lines stays with its table.
      const own = open.findIndex(
        (one, at) => at > last && !(at === last + 1 && continuesLabel(open[last]!, one, measurePitch(open))),
      );
      pieces.push({ above: own < 0 ? [] : open.splice(own), rows: [] });
      numbers = 0;
      valuesAt = Infinity;
    }
    pieces.at(-1)!.rows.push(row);
    if (!hasNumbers(row)) continue;
    numbers += 1;
    valuesAt = Math.min(valuesAt, row.cells[1]!.x);
  }
  return pieces;
}

/** Periods over the columns and a name over the labels, below a title: "Indicator | 2024 | 2023". */
function namesColumns({ cells, line }: PdfRow, titles: readonly PdfRow[]): boolean {
  const [first, ...rest] = cells;
  if (titles.length === 0 || rest.length === 0 || isValue(first!.text)) return false;
  return (
    rest.every((cell) => isPeriod(cell.text)) ||
    (line.bold && rest.length > 1 && rest.every((cell) => !isValue(cell.text) || isPeriod(cell.text)))
  );
}

function hasNumbers(row: PdfRow): boolean {
  return row.cells.slice(1).some((cell) => isValue(cell.text) && !year.test(cell.text));
}

/** Words or years over the columns of numbers, with nothing in the column of labels but a unit or a period. */
function headsColumns(row: PdfRow, valuesAt: number): boolean {
  const [first, ...rest] = row.cells;
  const over = first!.x + first!.width / 2 > valuesAt ? row.cells : rest;
  if (
    over.length < row.cells.length &&
    !/^\(|\b(?:ended|ending|as of|fiscal|unaudited|in millions|in thousands)\b/iu.test(first!.text)
  )
    return false;
  return over.length > 0 && over.every((cell) => !isValue(cell.text) || year.test(cell.text));
}

function isTight(above: PdfLine, below: PdfLine): boolean {
  return below.baseline - above.baseline <= 1.45 * Math.max(above.size, below.size);
}

function buildTable(rows: readonly PdfRow[], rules: readonly Rule[]): LaidTable | null {
  const several = rows.filter((row) => row.cells.length >= 2);
  const withValues = several.filter((row) =>
    row.cells.slice(1).some((cell) => isValue(cell.text) && !year.test(cell.text)),
  );
  const numeric =
    withValues.length >= 2 ||
    (withValues.length === 1 &&
      several.length >= 2 &&
      withValues[0]!.cells.filter((cell) => isValue(cell.text)).length >= 2);
  if (numeric ? several.length < 2 : several.length < 3) return null;
  const columns = findColumns(numeric ? withValues : several);
  if (columns.length < 2) return null;
  if (!numeric && !isAlignedText(several, columns)) return null;
  const aboveValues = numeric ? rows.findIndex((row) => withValues.includes(row)) : 0;
  const placed = rows.map((row, index) =>
    index < aboveValues
      ? placeRow(cutHeadings(row, columns, rows.slice(index + 1, aboveValues)), columns, rules)
      : placeRow(row, columns, null),
  );
  // A label below the names of the columns is no header: it begins a section.
  const headerLines = placed.slice(0, aboveValues).findLastIndex((row) => !isLabel(row)) + 1;
  const header = mergeHeader(placed.slice(0, headerLines));
  const body = numeric ? mergeLabels(placed.slice(headerLines)) : mergeWrapped(placed);
  const cells = [...header, ...body].flatMap((row, index) =>
    [...row.cells].map(([column, cell]): LaidCell => ({
      lines: cell.lines,
      row: index,
      column,
      rows: 1,
      columns: cell.columns,
    })),
  );
  return { ...boundCells(cells), cells, rows: header.length + body.length, columns: columns.length };
}

/** Text in columns is a table only when its columns begin at the same places. */
function isAlignedText(rows: readonly PdfRow[], columns: readonly PdfColumn[]): boolean {
  const aligned = rows.filter((row) =>
    row.cells
      .slice(1)
      .every((cell) =>
        columns.some((column) => Math.abs(column.start - cell.x) < 3 || Math.abs(column.end - right(cell)) < 3),
      ),
  );
  const short = rows.filter((row) => row.cells.every((cell) => cell.text.length < 90));
  return aligned.length >= 0.6 * rows.length && short.length >= 0.6 * rows.length;
}

/** Whether a line could be a row of a table; a page with none needs no look at its drawn lines. */
export function looksTabular(line: PdfLine): boolean {
  return line.segments.length >= 3 || (line.segments.length === 2 && isNumberText(line.segments[1]!.text));
}
