import { isValue } from './split-cells.ts';
import { upperMedian } from '@agonhq/engine/statistics';
import type { Segment } from './build-lines.ts';

/** What stands in a row of the table so far: cells by the first column they cover. */
export type PlacedRow = { baseline: number; size: number; cells: Map<number, { lines: Segment[]; columns: number }> };

export const year = /^(?:FY\s?)?(?:19|20)\d\d[EAF]?[*†‡⁰¹²³⁴-⁹]*$/u;
const openEnd = /(?:[-–,&/]|\s(?:of|and|the|for|to|in|on|from|by|with|or|a|an|at|per|than|as|is|due|under))$/iu;

/** Headings set in several lines over the same columns become one row: "December 2," over "2022". */
export function mergeHeader(rows: readonly PlacedRow[]): PlacedRow[] {
  const merged: PlacedRow[] = [];
  for (const row of rows) {
    const above = merged.at(-1);
    const isNear = above && row.baseline - above.baseline <= 1.5 * Math.max(row.size, above.size);
    const continues =
      isNear &&
      [...row.cells].every(
        ([column, cell]) => !isCovered(above, column) || above.cells.get(column)?.columns === cell.columns,
      );
    const sharesOne = continues && [...row.cells.keys()].some((column) => above.cells.has(column));
    const overlaps =
      continues &&
      [...row.cells].some(([column, cell]) =>
        [...above.cells.keys()].some((other) => other > column && other < column + cell.columns),
      );
    if (above && sharesOne && !overlaps) appendRow(above, row);
    else merged.push(row);
  }
  return merged;
}

function isCovered(row: PlacedRow, column: number): boolean {
  return [...row.cells].some(([start, cell]) => column >= start && column < start + cell.columns);
}

/** Labels of several lines: the numbers stand beside the first or the last of them. */
export function mergeLabels(rows: readonly PlacedRow[]): PlacedRow[] {
  const pitches = rows.flatMap((row, index) =>
    index > 0 && !isLabel(row) && !isLabel(rows[index - 1]!) ? [row.baseline - rows[index - 1]!.baseline] : [],
  );
  const pitch = upperMedian(pitches) ?? 0;
  const merged: PlacedRow[] = [];
  let lastBaseline = 0;
  for (const [index, row] of rows.entries()) {
    const above = merged.at(-1);
    if (above && belongsTo(above, row, row.baseline - lastBaseline, rows[index + 1], pitch)) appendRow(above, row);
    else merged.push(row);
    lastBaseline = row.baseline;
  }
  return merged;
}

export function isLabel(row: PlacedRow): boolean {
  return row.cells.size === 1 && row.cells.has(0);
}

function belongsTo(
  above: PlacedRow,
  row: PlacedRow,
  distance: number,
  below: PlacedRow | undefined,
  pitch: number,
): boolean {
  if (distance > 1.7 * row.size) return false;
  const last = above.cells.get(0)?.lines.at(-1)?.text;
  const label = row.cells.get(0)?.lines[0]?.text;
  if (label === undefined) {
    const texts = [...row.cells.values()].flatMap((cell) => cell.lines.map((line) => line.text));
    // A label is followed by its own numbers before it is a heading over others.
    if (isLabel(above) && texts.every(isValue) && !texts.every((text) => year.test(text))) return !last!.endsWith(':');
    return distance <= 1.35 * row.size && !texts.some(isValue);
  }
  if (last === undefined || /[:.]$/.test(last) || !(isLabel(above) || isLabel(row))) return false;
  if (wraps(last, label)) return true;
  if (label.endsWith(':') || distance > 0.87 * pitch || (isLabel(above) && isLabel(row))) return false;
  // A label between two rows of numbers goes with the one it is nearer to, and with the one it reads on into.
  if (!isLabel(row) || !below) return true;
  const next = below.cells.get(0)?.lines[0]?.text ?? '';
  return !wraps(label, next) && distance < 0.95 * (below.baseline - row.baseline);
}

function wraps(text: string, next: string): boolean {
  return openEnd.test(text) || /^(?:[\p{Ll}&]|\(\p{Ll})/u.test(next);
}

/** Cells of text that run over several lines: rows lie further apart than the lines within them. */
export function mergeWrapped(rows: readonly PlacedRow[]): PlacedRow[] {
  const distances = rows.slice(1).map((row, index) => row.baseline - rows[index]!.baseline);
  const tight = Math.min(...distances) * 1.15;
  const hasTwoPitches =
    distances.filter((distance) => distance > tight * 1.1).length >= 0.25 * distances.length &&
    distances.filter((distance) => distance <= tight).length > 0;
  const merged: PlacedRow[] = [];
  for (const [index, row] of rows.entries()) {
    const above = merged.at(-1);
    const startsEmpty = !row.cells.has(0) && index > 0;
    if (
      above &&
      ((hasTwoPitches && distances[index - 1]! <= tight) || (startsEmpty && distances[index - 1]! <= 1.4 * row.size))
    )
      appendRow(above, row);
    else merged.push(row);
  }
  return merged;
}

function appendRow(above: PlacedRow, row: PlacedRow): void {
  for (const [column, cell] of row.cells) {
    const there = above.cells.get(column);
    if (there) there.lines.push(...cell.lines);
    else above.cells.set(column, cell);
  }
}
