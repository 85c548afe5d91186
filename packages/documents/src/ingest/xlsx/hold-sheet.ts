import type { RawCell } from '../raw.ts';
import type { SheetGrid } from '../split-regions.ts';
import { formatAddress } from './format-address.ts';
import { formatDate, formatNumber, isDateFormat, readSerialDate } from './format-number.ts';
import {
  CellError,
  type CellValue,
  type FormulaResult,
  type FormulaSheet,
  type OpenFormula,
} from './formulas/index.ts';
import type { SheetCell, SheetDetails } from './scan-sheet.ts';

/** What cells of a workbook share. */
export interface WorkbookParts {
  texts: readonly string[];
  /** By style. */
  formats: readonly string[];
  from1904: boolean;
}

/** A cell with its value, or with a formula that has none. */
interface HeldCell {
  value: CellValue | OpenFormula;
  style: number;
}

/** The cells of a sheet in memory. */
export interface HeldSheet extends FormulaSheet {
  put(cell: SheetCell): void;
  /** Where formulas stand that have no saved value. */
  open: readonly { row: number; column: number }[];
  /** The rows that hold something, as they are shown; `compute` gives what has no saved value. */
  show(details: SheetDetails, compute: (row: number, column: number) => FormulaResult): SheetGrid;
}

/** Two blank rows part tables as well as a thousand do. */
const mostBlankRows = 2;
/** What a cell shows whose formula is not known. */
export const notComputed = '(not computed)';

export function holdSheet(name: string, workbook: WorkbookParts): HeldSheet {
  const rows = new Map<number, Map<number, HeldCell>>();
  const shared = new Map<string, { text: string; row: number; column: number }>();
  const open: { row: number; column: number }[] = [];
  const extent = { rows: 0, columns: 0 };

  function readFormula({ row, column, formula }: SheetCell): OpenFormula {
    const { text, kind, shared: number } = formula!;
    if (kind === 'shared' && number !== null) {
      if (text !== '') shared.set(number, { text, row, column });
      const origin = shared.get(number);
      if (origin) return { text: origin.text, down: row - origin.row, right: column - origin.column };
    }
    return { text: kind === 'dataTable' ? '' : text, down: 0, right: 0 };
  }

  return {
    name,
    get rows() {
      return extent.rows;
    },
    get columns() {
      return extent.columns;
    },
    open,
    put(cell) {
      const { row, column, style, value } = cell;
      const formula = cell.formula ? readFormula(cell) : null;
      if (value === null) open.push({ row, column });
      extent.rows = Math.max(extent.rows, row + 1);
      extent.columns = Math.max(extent.columns, column + 1);
      const line = rows.get(row) ?? new Map<number, HeldCell>();
      rows.set(row, line);
      line.set(column, { style, value: value === null ? formula! : readValue(cell, workbook) });
    },
    read: (row, column) => rows.get(row)?.get(column)?.value ?? null,
    show({ merges }, compute) {
      const grid: (RawCell | null)[][] = [];
      const placeOf = new Map<number, number>();
      let above = -1;
      for (const row of [...rows.keys()].toSorted((a, b) => a - b)) {
        for (let blank = Math.min(mostBlankRows, row - above - 1); blank > 0; blank -= 1) grid.push([]);
        above = row;
        placeOf.set(row, grid.length);
        const cells = rows.get(row)!;
        const width = Math.max(...cells.keys()) + 1;
        grid.push(
          Array.from({ length: width }, (_, column) => {
            const address = formatAddress(row, column);
            const cell = cells.get(column);
            if (cell === undefined) return { text: '', address };
            if (typeof cell.value !== 'object' || cell.value === null || cell.value instanceof CellError)
              return { ...showValue(cell.value, cell.style, workbook), address };
            const { value, why } = compute(row, column);
            return why === undefined
              ? { ...showValue(value, cell.style, workbook), address }
              : { text: notComputed, address };
          }),
        );
      }
      coverMerged(grid, merges, placeOf);
      return grid;
    },
  };
}

function coverMerged(
  grid: (RawCell | null)[][],
  merges: SheetDetails['merges'],
  placeOf: ReadonlyMap<number, number>,
): void {
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  for (const merge of merges) {
    const top = placeOf.get(merge.row);
    const first = top === undefined ? null : grid[top]![merge.column];
    if (top === undefined || !first) continue;
    const span = {
      rows: Math.min(merge.rows, grid.length - top),
      columns: Math.min(merge.columns, width - merge.column),
    };
    for (let row = top; row < top + span.rows; row += 1) {
      for (let column = merge.column; column < merge.column + span.columns; column += 1) {
        while (grid[row]!.length <= column) grid[row]!.push({ text: '' });
        grid[row]![column] = null;
      }
    }
    grid[top]![merge.column] = { ...first, span };
  }
}

/** A saved value; null for a blank text. */
function readValue({ type, value }: SheetCell, { texts }: WorkbookParts): CellValue {
  if (value === null) return null;
  if (type === 's') return texts[Number(value)] ?? '';
  if (type === 'b') return value === '1' || value === 'true';
  if (type === 'e') return new CellError(value);
  if (type === 'str' || type === 'inlineStr') return value;
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/u, '');
  const number = Number(value);
  return value.trim() === '' || Number.isNaN(number) ? value : number;
}

/** A value of a long table: its number, or how the cell shows what is none. */
export function readLongValue(cell: SheetCell, workbook: WorkbookParts): RawCell {
  const value = readValue(cell, workbook);
  return typeof value === 'number' && !isDateFormat(workbook.formats[cell.style] ?? 'General')
    ? { text: '', value }
    : showValue(value, cell.style, workbook);
}

/** A value as its cell shows it. */
function showValue(value: CellValue, style: number, { formats, from1904 }: WorkbookParts): RawCell {
  if (value === null) return { text: '' };
  if (value instanceof CellError) return { text: value.code };
  if (typeof value === 'boolean') return { text: value ? 'TRUE' : 'FALSE' };
  if (typeof value === 'string') return { text: value };
  const format = formats[style] ?? 'General';
  if (isDateFormat(format)) {
    const date = readSerialDate(value, from1904);
    if (!Number.isNaN(date.getTime()) && date.getUTCFullYear() > 1800 && date.getUTCFullYear() < 10_000)
      return { text: formatDate(date, format) };
  }
  return { text: formatNumber(value, format), value };
}
