import { styled } from './terminal.ts';

export type Row = readonly string[];

/** Names to the left, figures to the right. */
export function textTable(rows: readonly Row[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ').trimEnd());
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
