import type { Block, Cell, ReportDocument } from '@agonhq/documents';
import { tokenize } from '@agonhq/engine/text';

/** A cell with what can be compared of it. */
export interface ReadCell {
  cell: Cell;
  stems: readonly string[];
  /** Its number, date or time as a number that can be compared within its column. */
  value: number | null;
}

export interface ReadColumn {
  header: string;
  stems: readonly string[];
  /** Most of its cells have a value. */
  numeric: boolean;
}

/** A table made ready for questions: what its headers name, and rows of comparable cells. */
export interface ReadTable {
  document: ReportDocument;
  block: Block;
  columns: readonly ReadColumn[];
  rows: readonly (readonly (ReadCell | null)[])[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** What can be compared of a cell: a date, a time, or its first number. */
export function parseValue(text: string): number | null {
  const month = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i.exec(text)?.[1]?.toLowerCase();
  if (month !== undefined) {
    const year = /\b(1[6-9]\d\d|20\d\d)\b/.exec(text)?.[1];
    const day = /\b([0-3]?\d)(?:st|nd|rd|th)?\b/.exec(text)?.[1];
    if (day !== undefined || year !== undefined)
      return (
        (year === undefined ? 0 : Number(year)) * 372 +
        months.indexOf(month) * 31 +
        (day === undefined ? 0 : Number(day))
      );
  }
  const time = /^\s*(?:\+\s*)?(?:(\d+):)?(\d+):(\d\d(?:\.\d+)?)/.exec(text);
  if (time) return Number(time[1] ?? 0) * 3600 + Number(time[2]) * 60 + Number(time[3]);
  const number = /(\()?([-−–])?\s?[$€£]?\s?(\d[\d ,]*(?:\.\d+)?|\.\d+)/.exec(text);
  if (!number) return null;
  const value = Number.parseFloat(number[3]!.replace(/[ ,]/g, ''));
  if (Number.isNaN(value)) return null;
  const negative =
    (number[2] !== undefined && /^\s*[-−–]/.test(text)) ||
    (number[1] !== undefined && text.trimStart().startsWith('('));
  return negative ? -value : value;
}

/** Reads a block's table; null when it has no rows below its headers. */
export function readTable(document: ReportDocument, block: Block): ReadTable | null {
  const { table } = block;
  if (!table || table.rows <= table.headerRows) return null;
  const grid = Array.from({ length: table.rows }, () => Array.from({ length: table.columns }, (): Cell | null => null));
  for (const cell of table.cells) if (grid[cell.row]) grid[cell.row]![cell.column] = cell;
  const headers = grid.slice(0, Math.max(1, table.headerRows));
  const rows = grid
    .slice(headers.length)
    .map((row) =>
      row.map(
        (cell) => cell && { cell, stems: tokenize(cell.text).map(({ stem }) => stem), value: parseValue(cell.text) },
      ),
    );
  if (rows.length === 0) return null;
  const columns = Array.from({ length: table.columns }, (_, column): ReadColumn => {
    const header = headers
      .map((row) => row[column]?.text ?? '')
      .join(' ')
      .trim();
    const values = rows.flatMap((row) =>
      row[column] && row[column].cell.text.trim() !== '' ? [row[column].value] : [],
    );
    return {
      header,
      stems: tokenize(header).map(({ stem }) => stem),
      numeric: values.length > 0 && values.filter((value) => value !== null).length >= values.length * 0.6,
    };
  });
  return { document, block, columns, rows };
}

/** Rows as they stand in the document, each once. */
export function quoteRows({ document, rows }: ReadTable, asked: readonly number[]): string[] {
  return Array.from(new Set(asked))
    .slice(0, 4)
    .flatMap((row) => {
      const cells = rows[row]?.flatMap((cell) => (cell ? [cell.cell] : [])) ?? [];
      return cells.length === 0 ? [] : [document.text.slice(cells[0]!.start, cells.at(-1)!.end)];
    });
}
