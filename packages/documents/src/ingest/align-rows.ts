import { isNumber, isPeriod, isUnit } from '../tables/classify-cell.ts';
import type { RawCell } from './raw.ts';

/** The cells of a line of a pipe table. `\|` is a letter. */
export function splitPipeCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/u, '')
    .replace(/(?<!\\)\|$/u, '');
  return inner.split(/(?<!\\)\|/u).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

export function isDelimiterRow(line: string): boolean {
  return line.includes('-') && splitPipeCells(line).every((cell) => /^:?-+:?$/u.test(cell));
}

/** Rows whose empty cells were not written: values are put under each other from the right, names stay at the left. */
export function alignRows(rows: readonly (readonly string[])[]): RawCell[][] {
  const joined = dropSpacers(rows.map(joinSigns));
  const columns = joined.reduce((most, row) => Math.max(most, row.length), 0);
  return joined.map((row) => {
    const missing = columns - row.length;
    if (missing === 0) return row.map((text) => ({ text }));
    const names = row.findIndex(isValue);
    const split = names === -1 ? (row.length === 1 ? 1 : 0) : names;
    const padded =
      names === -1 && row.length > 1 && missing > 1
        ? [...row, ...makeBlanks(missing)]
        : [...row.slice(0, split), ...makeBlanks(missing), ...row.slice(split)];
    return padded.map((text) => ({ text }));
  });
}

const isValue = (text: string): boolean => isNumber(text) || isPeriod(text) || isUnit(text) || /^[-–—]$/u.test(text);

/**
 * Cells of nothing but zero-width letters are spacers where, without them, all rows of values have as many cells: a
 * filing sets some of them for a currency sign that a row lacks.
 */
function dropSpacers(rows: readonly string[][]): readonly string[][] {
  const bare = rows.map((row) => row.filter((text) => !/^[\u200B-\u200D\u2060\uFEFF]+$/u.test(text)));
  const widths = bare.filter((row) => row.filter(isValue).length > 1).map((row) => row.length);
  return new Set(widths.slice(1)).size === 1 && widths.at(-1)! >= widths[0]! ? bare : rows;
}

function makeBlanks(count: number): string[] {
  return Array.from({ length: count }, () => '');
}

/** A `$` in a cell of its own goes to its number, as do `)` and `%`. */
function joinSigns(row: readonly string[]): string[] {
  const cells: string[] = [];
  let sign = '';
  for (const text of row) {
    if (/^(?:[$€£¥₹]|US\$|\()$/u.test(text)) sign += text;
    else if (/^(?:\)|%|\)\s*%)$/u.test(text) && cells.length > 0) cells[cells.length - 1] += text;
    else {
      cells.push(`${sign}${text}`);
      sign = '';
    }
  }
  return sign === '' ? cells : [...cells, sign];
}
