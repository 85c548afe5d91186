import type { RawCell } from '../raw.ts';

/** A column of a long table: numbers as numbers, all else by its place in the list of the column's values. */
export interface LongColumn {
  name: string;
  /** NaN where there is none. */
  numbers: Float64Array;
  /** How many digits each number has behind its point. */
  decimals: Uint8Array;
  /** Of what is no number: 1 + its place in `values`; 0 for a blank and for a number. */
  codes: Uint32Array;
  values: readonly string[];
}

/** A table with more rows than are laid out, kept by columns. */
export interface LongTable {
  columns: readonly LongColumn[];
  rows: number;
  /** Row 0 stands here in its file, counted from 0; null where that is not sure. */
  firstRow: number | null;
  sheet?: string;
}

/** Takes rows one after another and keeps them by columns. */
export interface ColumnCollector {
  add(cells: readonly (RawCell | null)[]): void;
  /** `firstRow` is where its first row stands in the file. */
  finish(firstRow: number | null): LongTable;
}

interface Growing {
  numbers: Float64Array;
  decimals: Uint8Array;
  codes: Uint32Array;
  places: Map<string, number>;
}

const firstCapacity = 1024;

export function collectColumns(names: readonly string[], sheet?: string): ColumnCollector {
  let capacity = firstCapacity;
  let rows = 0;
  const columns = names.map((): Growing => ({
    numbers: new Float64Array(capacity),
    decimals: new Uint8Array(capacity),
    codes: new Uint32Array(capacity),
    places: new Map(),
  }));
  return {
    add(cells) {
      if (rows === capacity) {
        capacity *= 2;
        for (const column of columns) grow(column, capacity);
      }
      for (const [index, column] of columns.entries()) put(column, rows, cells[index] ?? null);
      rows += 1;
    },
    finish: (firstRow) => ({
      rows,
      firstRow,
      ...(sheet === undefined ? {} : { sheet }),
      columns: columns.map(({ numbers, decimals, codes, places }, index) => ({
        name: names[index]!,
        numbers: numbers.subarray(0, rows),
        decimals: decimals.subarray(0, rows),
        codes: codes.subarray(0, rows),
        values: [...places.keys()],
      })),
    }),
  };
}

function grow(column: Growing, capacity: number): void {
  const { numbers, decimals, codes } = column;
  column.numbers = new Float64Array(capacity);
  column.numbers.set(numbers);
  column.decimals = new Uint8Array(capacity);
  column.decimals.set(decimals);
  column.codes = new Uint32Array(capacity);
  column.codes.set(codes);
}

function put({ numbers, decimals, codes, places }: Growing, row: number, cell: RawCell | null): void {
  if (cell?.value !== undefined) {
    numbers[row] = cell.value;
    decimals[row] = countDecimals(cell.value);
    return;
  }
  numbers[row] = Number.NaN;
  const text = cell === null ? '' : cell.text.trim();
  if (text === '') return;
  let code = places.get(text);
  if (code === undefined) {
    code = places.size + 1;
    places.set(text, code);
  }
  codes[row] = code;
}

const mostDecimals = 12;

function countDecimals(value: number): number {
  if (Number.isInteger(value)) return 0;
  const text = String(value);
  const point = text.indexOf('.');
  return point === -1 || text.includes('e') ? mostDecimals : Math.min(mostDecimals, text.length - point - 1);
}

/** A cell of a long table as it is shown. */
export function readLongCell({ numbers, decimals, codes, values }: LongColumn, row: number): RawCell {
  const value = numbers[row]!;
  if (!Number.isNaN(value)) return { text: value.toFixed(decimals[row]), value };
  return { text: codes[row] === 0 ? '' : values[codes[row]! - 1]! };
}
