import { temporal } from './operator-words.ts';
import type { Links, LinkedMention } from './link-claim.ts';
import type { ReadTable } from './read-table.ts';

/** What a table says to one reading of a claim, and which of its rows do. */
export interface TableCheck {
  holds: boolean;
  rows: readonly number[];
  why: string;
}

/** A claim, linked to the table that is asked about it. */
export interface AskedCells {
  table: ReadTable;
  links: Links;
  stems: readonly string[];
}

export function formatRowCount(rows: number): string {
  return rows === 1 ? '1 row is' : `${rows} rows are`;
}

/** The rows in which every mention stands. */
export function findRows(table: ReadTable, mentions: readonly LinkedMention[]): number[] {
  const all = Array.from(table.rows.keys());
  // Two words from one column that never meet in a row ("X and Y") name either.
  const groups: Set<number>[] = [];
  const done = new Set<LinkedMention>();
  for (const mention of mentions) {
    if (done.has(mention)) continue;
    const rows = new Set(mention.rows);
    for (const other of mentions) {
      if (other === mention || done.has(other)) continue;
      const sameColumn = mention.cells.some(({ column }) => other.cells.some((cell) => cell.column === column));
      if (sameColumn && !Array.from(other.rows).some((row) => mention.rows.has(row))) {
        for (const row of other.rows) rows.add(row);
        done.add(other);
      }
    }
    done.add(mention);
    groups.push(rows);
  }
  return all.filter((row) => groups.every((rows) => rows.has(row)));
}

export function readValue({ rows }: ReadTable, row: number, column: number): number | null {
  return rows[row]?.[column]?.value ?? null;
}

function isDate({ columns, rows }: ReadTable, column: number): boolean {
  if (/\b(?:date|year|season|week|time|aired?|round|day|opened|built|born|start)\b/i.test(columns[column]!.header))
    return true;
  return rows.slice(0, 5).some((cells) => /\b(?:1[6-9]\d\d|20\d\d)\b/.test(cells[column]?.cell.text ?? ''));
}

/** The header named nearest to an operator, else for words of time the first column of dates. */
export function findColumn({ table, links, stems }: AskedCells, at: number): number | null {
  const near = links.headers
    .filter(({ column }) => table.columns[column]!.numeric)
    .map(({ from, column }) => ({ column, distance: from > at ? from - at : (at - from) * 1.5 }))
    .sort((a, b) => a.distance - b.distance);
  if (near[0] && near[0].distance <= 6) return near[0].column;
  if (temporal.has(stems[at]!)) {
    const date = table.columns.findIndex(({ numeric }, column) => numeric && isDate(table, column));
    if (date >= 0) return date;
  }
  if (near[0]) return near[0].column;
  const numeric = table.columns.flatMap((column, index) =>
    column.numeric &&
    !isDate(table, index) &&
    !/^(?:no|rank|pos|position|pick|place|game|week|#)\b/i.test(column.header)
      ? [index]
      : [],
  );
  return numeric.length === 1 ? numeric[0]! : null;
}

/** Mentions that narrow rows down: a bare small number somewhere in a cell does not. */
export function selectNarrowing(
  { links, table }: AskedCells,
  mentions: readonly LinkedMention[] = links.mentions,
): LinkedMention[] {
  return mentions.filter((mention) => {
    if (!mention.numeric) return true;
    const headed = links.headers.some(
      ({ from, to, column }) =>
        Math.min(Math.abs(mention.from - to), Math.abs(from - mention.to)) <= 1 &&
        mention.cells.some((cell) => cell.column === column),
    );
    const long = mention.to - mention.from > 1 || links.tokens[mention.from]!.text.length >= 4;
    return (
      headed ||
      long ||
      (mention.whole &&
        mention.rows.size < table.rows.length / 2 &&
        mention.cells.every(({ column }) => column === mention.cells[0]!.column) &&
        links.tokens[mention.from]!.text.length >= 3)
    );
  });
}
