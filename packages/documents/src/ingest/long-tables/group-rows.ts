import type { LongTable } from './collect-columns.ts';
import { createDateReader, type DescribedColumn } from './describe-columns.ts';

/** Which group each row of a long table belongs to. */
export interface Grouping {
  name: string;
  labels: readonly string[];
  /** A place in `labels` for each row; -1 for none. */
  of: Int32Array;
}

export type Period = 'year' | 'quarter' | 'month';

/** By the values of a column, in the order of the alphabet. */
export function groupByValue({ name, codes, values }: DescribedColumn): Grouping {
  const order = values
    .map((_, index) => index)
    .toSorted((a, b) => values[a]!.localeCompare(values[b]!, 'en', { numeric: true }));
  const place = new Int32Array(values.length);
  for (const [at, index] of order.entries()) place[index] = at;
  return {
    name,
    labels: order.map((index) => values[index]!),
    of: Int32Array.from(codes, (code) => (code === 0 ? -1 : place[code - 1]!)),
  };
}

const months = 'January February March April May June July August September October November December'.split(' ');

/** By year, quarter or month of a column of dates or years; null where the column does not say. */
export function groupByPeriod(column: DescribedColumn, period: Period): Grouping | null {
  const { name, role, numbers, codes, values } = column;
  const keys = role === 'year' ? [] : listPeriodKeys(values, period);
  if (role === 'year' && period !== 'year') return null;
  if (keys.some((key) => key === null)) return null;
  const keyOf = (row: number): number =>
    role === 'year' ? numbers[row]! : codes[row] === 0 ? Number.NaN : keys[codes[row]! - 1]!;
  const seen = new Set<number>();
  for (let row = 0; row < codes.length; row += 1) {
    const key = keyOf(row);
    if (!Number.isNaN(key)) seen.add(key);
  }
  const sorted = [...seen].toSorted((a, b) => a - b);
  const place = new Map(sorted.map((key, at) => [key, at]));
  return {
    name: role === 'year' ? name : period,
    labels: sorted.map((key) => writePeriod(key, period)),
    of: Int32Array.from({ length: codes.length }, (_, row) => place.get(keyOf(row)) ?? -1),
  };
}

/** A number for each period, in their order; NaN where a value is no date, null where its month is not sure. */
function listPeriodKeys(values: readonly string[], period: Period): (number | null)[] {
  const read = createDateReader(values);
  return values.map((value) => {
    const date = read(value);
    if (date === null) return Number.NaN;
    if (period === 'year') return date.year;
    if (date.month === null) return null;
    return date.year * 12 + (period === 'month' ? date.month - 1 : Math.floor((date.month - 1) / 3));
  });
}

function writePeriod(key: number, period: Period): string {
  if (period === 'year') return String(key);
  const year = Math.floor(key / 12);
  return period === 'month' ? `${months[key % 12]} ${year}` : `Q${(key % 12) + 1} ${year}`;
}

/** What a column comes to in each group, and how many numbers went into it. */
export interface Totals {
  sums: Float64Array;
  counts: Float64Array;
}

const exactPlaces = 6;

/** Sums over rows by one grouping and a second: place `first * second.labels.length + second`. */
export function sumByGroups(
  { numbers, places }: Pick<DescribedColumn, 'numbers' | 'places'>,
  first: Grouping,
  second: Grouping,
): Totals {
  const size = first.labels.length * second.labels.length;
  const [sums, counts] = [new Float64Array(size), new Float64Array(size)];
  // Whole numbers of the last digit add up without a rounding error.
  const scale = 10 ** Math.min(places, exactPlaces);
  const isExact = places <= exactPlaces;
  for (let row = 0; row < numbers.length; row += 1) {
    const [a, b] = [first.of[row]!, second.of[row]!];
    const value = numbers[row]!;
    if (a < 0 || b < 0 || Number.isNaN(value)) continue;
    const at = a * second.labels.length + b;
    sums[at]! += isExact ? Math.round(value * scale) : value;
    counts[at]! += 1;
  }
  if (isExact) for (let at = 0; at < size; at += 1) sums[at]! /= scale;
  return { sums, counts };
}

/** All rows in one group. */
export function groupAll({ rows }: LongTable): Grouping {
  return { name: '', labels: ['Total'], of: new Int32Array(rows) };
}

/** A column of ones: its sums are counts of rows. */
export function countRows({ rows }: LongTable): Pick<DescribedColumn, 'numbers' | 'places'> {
  return { numbers: new Float64Array(rows).fill(1), places: 0 };
}
