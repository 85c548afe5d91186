import { isNumber } from '../tables/classify-cell.ts';
import type { RawCell } from './raw.ts';
import { detectHeaders } from './detect-headers.ts';

export type SheetGrid = readonly (readonly (RawCell | null)[])[];

interface Region {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/**
 * The tables of a sheet: what stands together between blank rows and columns, from top to bottom and left to right.
 * A gap inside a table does not cut it: what follows without names of its own belongs to what came before.
 */
export function splitRegions(grid: SheetGrid, options: { acrossColumns?: boolean } = {}): SheetGrid[] {
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 0);
  return splitRegion(grid, { top: 0, bottom: grid.length, left: 0, right: columns }, options.acrossColumns ?? true).map(
    (region) => cutRegion(grid, region),
  );
}

function splitRegion(grid: SheetGrid, region: Region, acrossColumns: boolean): Region[] {
  const bands = joinRegions(
    grid,
    findBands(region.top, region.bottom, (row) => isBlankRow(grid, row, region)).map(([top, bottom]) => ({
      ...region,
      top,
      bottom,
    })),
    continuesBelow,
  );
  if (!acrossColumns) return bands;
  const blocks = bands.flatMap((band) =>
    joinRegions(
      grid,
      findBands(band.left, band.right, (column) => isBlankColumn(grid, column, band)).map(([left, right]) => ({
        ...band,
        left,
        right,
      })),
      continuesBeside,
    ),
  );
  if (blocks.length <= 1) return blocks;
  return blocks.flatMap((block) => splitRegion(grid, block, acrossColumns));
}

function joinRegions(
  grid: SheetGrid,
  regions: readonly Region[],
  goesOn: (grid: SheetGrid, before: Region, after: Region) => boolean,
): Region[] {
  const result: Region[] = [];
  for (const region of regions) {
    const last = result.at(-1);
    if (last && goesOn(grid, last, region))
      result[result.length - 1] = { top: last.top, left: last.left, bottom: region.bottom, right: region.right };
    else result.push(region);
  }
  return result;
}

/** One blank row, then rows of numbers under the same columns. */
function continuesBelow(grid: SheetGrid, before: Region, after: Region): boolean {
  if (after.top - before.bottom !== 1) return false;
  const [above, below] = [trimColumns(grid, before), trimColumns(grid, after)];
  if (
    above.right - above.left < 2 ||
    below.left < above.left ||
    below.right > above.right ||
    below.right - below.left < 2
  )
    return false;
  return (
    detectRegionHeaders(cutRegion(grid, above)).headerRows > 0 &&
    detectRegionHeaders(cutRegion(grid, below)).headerRows === 0
  );
}

/** One blank column, then a column of numbers without names of the rows. */
function continuesBeside(grid: SheetGrid, before: Region, after: Region): boolean {
  if (after.left - before.right !== 1 || after.bottom - after.top < 2) return false;
  const first = cutRegion(grid, { ...after, right: after.left + 1 }).map((row) => row[0]?.text ?? '');
  return (
    first
      .slice(1)
      .filter((text) => text !== '')
      .every(isNumber) && first.slice(1).some(isNumber)
  );
}

function detectRegionHeaders(cells: SheetGrid): { headerRows: number; headerColumns: number } {
  return detectHeaders(cells, cells[0]?.length ?? 0);
}

function findBands(from: number, to: number, isBlank: (index: number) => boolean): [number, number][] {
  const bands: [number, number][] = [];
  let start: number | null = null;
  for (let index = from; index <= to; index += 1) {
    if (index < to && !isBlank(index)) start ??= index;
    else if (start !== null) {
      bands.push([start, index]);
      start = null;
    }
  }
  return bands;
}

function trimColumns(grid: SheetGrid, region: Region): Region {
  const columns = findBands(region.left, region.right, (column) => isBlankColumn(grid, column, region));
  return { ...region, left: columns[0]?.[0] ?? region.left, right: columns.at(-1)?.[1] ?? region.right };
}

function isBlankRow(grid: SheetGrid, row: number, { left, right }: Region): boolean {
  for (let column = left; column < right; column += 1) if (isFilled(grid, row, column)) return false;
  return true;
}

function isBlankColumn(grid: SheetGrid, column: number, { top, bottom }: Region): boolean {
  for (let row = top; row < bottom; row += 1) if (isFilled(grid, row, column)) return false;
  return true;
}

/** A place that a merged cell covers is not blank: a title over a gap holds the columns together. */
function isFilled(grid: SheetGrid, row: number, column: number): boolean {
  const cell = grid[row]?.[column];
  return cell === null || (cell !== undefined && cell.text !== '');
}

function cutRegion(grid: SheetGrid, { top, bottom, left, right }: Region): SheetGrid {
  return grid.slice(top, bottom).map((row) =>
    Array.from({ length: right - left }, (_, column) => {
      const cell = row[left + column];
      return cell === undefined ? { text: '' } : cell;
    }),
  );
}
