import stringWidth from 'string-width';
import { padded } from './columns.ts';
import { styled } from './terminal.ts';

export type Row = readonly string[];

/** Names to the left, figures to the right; `names` says which columns hold names. */
export function textTable(rows: readonly Row[], names: readonly number[] = [0]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))));
  const filled = (cell: string, column: number) =>
    names.includes(column)
      ? padded(cell, widths[column]!)
      : `${padded('', widths[column]! - stringWidth(cell))}${cell}`;
  const lines = rows.map((row) => row.map(filled).join('  ').trimEnd());
  return lines.map((line, index) => (index === 0 ? styled('dim', line) : line));
}

export function share(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

export function between(interval: readonly [number, number] | null): string {
  return interval === null ? '' : `${share(interval[0])}–${share(interval[1])}`;
}

export function signed(value: number): string {
  const size = Math.abs(value).toFixed(3);
  return `${value < 0 && size !== '0.000' ? '−' : '+'}${size}`;
}

export function milliseconds(value: number | null): string {
  return value === null ? '–' : value < 10 ? value.toFixed(1) : Math.round(value).toString();
}

/** A count that may be a mean over repeats: whole where it is. */
export function number(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
