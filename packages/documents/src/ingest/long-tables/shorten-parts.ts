import { detectHeaders } from '../detect-headers.ts';
import type { IngestLimits, RawCell, RawPart } from '../raw.ts';
import { toOneLine } from '@agonhq/engine/text';
import { collectColumns, type ColumnCollector } from './collect-columns.ts';
import { buildCube, tellCount, summarizeTable, type Cube } from './summarize-table.ts';

type Row = readonly (RawCell | null)[];

/** What is told of a file with long tables. */
export interface Shortened {
  parts: RawPart[];
  longTables: Cube[];
  notes: string[];
}

/** Puts the totals of tables that are too long to be laid out in their place. */
export function shortenParts(parts: readonly RawPart[], { laidOutRows }: IngestLimits): Shortened {
  const longTables: Cube[] = [];
  const notes: string[] = [];
  const told = parts.flatMap((part) => {
    if (!part.rows || part.rows.length <= laidOutRows) return [part];
    const { collector, body, top } = openLongTable(part.rows.slice(0, laidOutRows), part.sheet);
    for (const row of [...body, ...part.rows.slice(laidOutRows)]) collector.add(row);
    const cube = buildCube(collector.finish(isInOrder(part.rows) ? top : null));
    longTables.push(cube);
    notes.push(describeLongTable(cube));
    return summarizeTable(cube);
  });
  return { parts: told, longTables, notes };
}

/**
 * Begins a long table with its first rows: its names, what of them is no header, and which row of the file is first.
 */
export function openLongTable(
  first: readonly Row[],
  sheet?: string,
): { collector: ColumnCollector; body: readonly Row[]; top: number } {
  const width = first.reduce((most, row) => Math.max(most, row.length), 0);
  const { headerRows } = detectHeaders(first, width);
  const names = Array.from({ length: width }, (_, column) => {
    const words = first.slice(0, headerRows).map((row) => toOneLine(row[column]?.text ?? ''));
    return [...new Set(words)].filter((word) => word !== '').join(' ') || `Column ${column + 1}`;
  });
  return {
    collector: collectColumns(names, sheet),
    body: first.slice(headerRows),
    top: readRowNumber(first[headerRows]) ?? headerRows,
  };
}

/** Rows of a spreadsheet say where they stand; others are counted. */
function readRowNumber(row: Row | undefined): number | null {
  const address = row?.find((cell) => cell?.address !== undefined)?.address;
  return address === undefined ? null : Number(/(?<!\d)\d+$/u.exec(address)?.[0]) - 1;
}

/** Whether every row follows the one before it in the file, so that the number of each is known. */
function isInOrder(rows: readonly Row[]): boolean {
  const [first, last] = [readRowNumber(rows[0]), readRowNumber(rows.at(-1))];
  return first === null || last === null || last - first === rows.length - 1;
}

export function describeLongTable({ table, figures, dimensions }: Cube): string {
  const where = table.sheet === undefined ? 'A table' : `The sheet “${table.sheet}”`;
  const by = dimensions.length === 0 ? '' : ` by ${dimensions.map(({ name }) => name).join(', ')}`;
  return (
    `${where} has ${tellCount(table.rows)} rows: it is told by its totals` +
    `${figures.length === 0 ? '' : ` of ${figures.map(({ name }) => name).join(', ')}${by}`}, and by the rows that ` +
    'are named.'
  );
}
