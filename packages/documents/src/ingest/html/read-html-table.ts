import { AgonError } from '@agonhq/engine/agon-error';
import { elementNode, findElements, readTagName, type MarkupNode } from '../parse-markup.ts';
import type { RawCell } from '../raw.ts';

export interface HtmlTable {
  rows: (RawCell | null)[][];
  /** As `thead` and `th` say; 0 when they do not. */
  headerRows: number;
  caption: string;
}

interface Place {
  text: string;
  isHeader: boolean;
}

/** Places of one table, those counted that a wide cell covers. */
const mostPlaces = 2_000_000;
const widest = 1000;
const tallest = 65_534;

/** A table with its merged cells; signs and brackets in cells of their own go to their number. Null without a cell. */
export function readHtmlTable(table: MarkupNode, textOf: (node: MarkupNode) => string): HtmlTable | null {
  const rows = listRows(table);
  const grid: Place[][] = rows.map(() => []);
  let places = 0;
  for (const [row, { cells, isHead }] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (grid[row]![column] !== undefined) column += 1;
      const place: Place = { text: textOf(cell), isHeader: isHead || readTagName(cell) === 'th' };
      const columns = readSpan(cell, 'colspan', widest);
      const height = Math.min(readSpan(cell, 'rowspan', tallest), rows.length - row);
      places += columns * height;
      if (places > mostPlaces)
        throw new AgonError(
          'document-too-large',
          `A table in it has more than ${mostPlaces} cells.`,
          'Cut it to what is to be judged.',
        );
      for (let down = 0; down < height; down += 1)
        for (let across = 0; across < columns; across += 1) grid[row + down]![column + across] ??= place;
      column += columns;
    }
  }
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0) return null;
  const full = grid.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? { text: '', isHeader: false }),
  );
  const tidy = dropSpacers(joinSigns(full)).filter((row) => row.some((place) => place.text !== ''));
  if (tidy.length === 0) return null;
  const [caption] = [...table.childNodes].filter(
    (child) => child.nodeType === elementNode && readTagName(child) === 'caption',
  );
  return { rows: buildCells(tidy), headerRows: countHeaderRows(tidy), caption: caption ? textOf(caption) : '' };
}

/** Tables that hold tables, or a single cell, lay a page out and tell nothing by it. */
export function holdsOnlyLayout(table: MarkupNode): boolean {
  return (
    findElements(table, 'table').length > 0 || findElements(table, 'td').length + findElements(table, 'th').length <= 1
  );
}

function listRows(table: MarkupNode): { cells: MarkupNode[]; isHead: boolean }[] {
  const rows: { cells: MarkupNode[]; isHead: boolean }[] = [];
  const visit = (node: MarkupNode, isHead: boolean): void => {
    for (const child of node.childNodes) {
      if (child.nodeType !== elementNode) continue;
      const name = readTagName(child);
      if (['thead', 'tbody', 'tfoot'].includes(name)) visit(child, name === 'thead');
      if (name !== 'tr') continue;
      const cells = [...child.childNodes].filter(
        (cell) => cell.nodeType === elementNode && ['td', 'th'].includes(readTagName(cell)),
      );
      rows.push({ cells, isHead });
    }
  };
  visit(table, false);
  return rows;
}

function readSpan(cell: MarkupNode, name: string, most: number): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return Number.isFinite(span) ? Math.min(most, Math.max(1, span)) : 1;
}

/** `$` before its number, `)` and `%` after it. */
function joinSigns(grid: Place[][]): Place[][] {
  for (const row of grid) {
    for (let column = 0; column < row.length; column += 1) {
      const place = row[column]!;
      const isBefore = /^(?:[$€£¥₹]|US\$|\(|[$€£¥]\s*\()$/u.test(place.text);
      if (!isBefore && !/^(?:\)|%|\)\s*%|%\s*\))$/u.test(place.text)) continue;
      const step = isBefore ? 1 : -1;
      let at = column + step;
      while (row[at] !== undefined && (row[at] === place || row[at]!.text === '')) at += step;
      const number = row[at];
      if (number === undefined || !/\d|^[-—–]$/u.test(number.text)) continue;
      number.text = isBefore ? `${place.text}${number.text}` : `${number.text}${place.text}`;
      place.text = '';
    }
  }
  return grid;
}

/** Columns that hold nothing, or only part of what reaches into the next one, are white space. */
function dropSpacers(grid: Place[][]): Place[][] {
  const width = grid[0]?.length ?? 0;
  const kept: number[] = [];
  // From the right: what is to the left of a column is all there still, what is to the right is what was kept.
  for (let column = width - 1; column >= 0; column -= 1) {
    const [before, after] = [column > 0 ? column - 1 : undefined, kept.at(-1)];
    const isSpacer = grid.every((row) => {
      const place = row[column]!;
      return (
        place.text === '' ||
        (before !== undefined && row[before] === place) ||
        (after !== undefined && row[after] === place)
      );
    });
    const hasOwn = grid.some(
      (row) => row[column]!.text !== '' && row[before ?? -1] !== row[column] && row[after ?? -1] !== row[column],
    );
    const isLast = column === 0 && kept.length === 0;
    if (!isSpacer || hasOwn || isLast || !keepsHeaders(grid, column, before, after)) kept.push(column);
  }
  const columns = kept.toReversed();
  return grid.map((row) => columns.map((column) => row[column]!));
}

/** A column of empty data cells under a name of its own is a column; under half of a wide name it is a spacer. */
function keepsHeaders(grid: Place[][], column: number, before: number | undefined, after: number | undefined): boolean {
  return grid.every(
    (row) =>
      row[column]!.text === '' || [before, after].some((other) => other !== undefined && row[other] === row[column]),
  );
}

function buildCells(grid: Place[][]): (RawCell | null)[][] {
  const extents = new Map<Place, { top: number; left: number; bottom: number; right: number }>();
  for (const [row, places] of grid.entries()) {
    for (const [column, place] of places.entries()) {
      const extent = extents.get(place);
      if (extent)
        Object.assign(extent, { bottom: Math.max(extent.bottom, row), right: Math.max(extent.right, column) });
      else extents.set(place, { top: row, left: column, bottom: row, right: column });
    }
  }
  return grid.map((places, row) =>
    places.map((place, column) => {
      const { top, left, bottom, right } = extents.get(place)!;
      if (top !== row || left !== column) return null;
      return { text: place.text, span: { rows: bottom - top + 1, columns: right - left + 1 } };
    }),
  );
}

function countHeaderRows(grid: Place[][]): number {
  const first = grid.findIndex(
    (row) => !row.every((place) => place.isHeader || place.text === '') || row.every((place) => !place.isHeader),
  );
  return first === -1 ? Math.min(1, grid.length - 1) : first;
}
