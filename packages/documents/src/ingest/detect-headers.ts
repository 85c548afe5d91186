import { isData, isBlank, isNumber, isPeriod, isUnit } from '../tables/classify-cell.ts';
import type { RawCell } from './raw.ts';

type Rows = readonly (readonly (RawCell | null)[])[];

/** No table has more header rows than this; what looks so is a text laid out as a table. */
const maxHeaderRows = 8;
/** So many rows are enough to know what a column holds. */
const sample = 200;

/** How many rows at the top, and columns at the left, name what the others hold. */
export function detectHeaders(rows: Rows, columns: number): { headerRows: number; headerColumns: number } {
  const texts = rows
    .slice(0, sample)
    .map((row) => Array.from({ length: columns }, (_, column) => row[column]?.text ?? ''));
  const headerRows = countHeaderRows(texts);
  return { headerRows, headerColumns: countHeaderColumns(texts.slice(headerRows), columns) };
}

function countHeaderRows(texts: readonly string[][]): number {
  const hasData = texts.some((row) => row.some(isData));
  let count = 0;
  let titled = true;
  let named = false;
  for (const [index, row] of texts.slice(0, Math.min(texts.length - 1, maxHeaderRows)).entries()) {
    const others = row.slice(1).filter((text) => text !== '');
    if (row.some(isData) || (others.length > 0 && others.every(isBlank))) break;
    if (others.length === 0) {
      // A line of its own below the column names begins a section of the table: it is no header, unless it says the
      // unit.
      if (!titled && !isUnit(row[0]!)) break;
    } else {
      const below = texts.slice(index + 1).flatMap((later) => later.slice(1));
      if (row[0] !== '' && others.every(isPeriod) && !isMostlyData(below)) break;
      if (row[0] !== '' && named && !others.every((text) => isPeriod(text) || isUnit(text))) break;
      titled = false;
      named ||= row[0] !== '';
    }
    count += 1;
    if (!hasData && !titled) break;
  }
  return count;
}

function isMostlyData(texts: readonly string[]): boolean {
  const told = texts.filter((text) => !isBlank(text));
  return told.filter(isData).length > told.length * 0.6;
}

function countHeaderColumns(texts: readonly string[][], columns: number): number {
  if (columns < 2 || texts.length === 0) return 0;
  const kinds = Array.from({ length: columns }, (_, column) => classifyColumn(texts.map((row) => row[column]!)));
  if (kinds[0] === 'number' || kinds[0] === 'empty') return 0;
  let count = 1;
  const lastNumber = kinds.lastIndexOf('number');
  while (count < 3 && count < lastNumber && kinds[count] !== 'number' && isGroupColumn(texts, count - 1)) count += 1;
  return count;
}

function classifyColumn(texts: readonly string[]): 'number' | 'period' | 'text' | 'empty' {
  const told = texts.filter((text) => !isBlank(text));
  if (told.length === 0) return 'empty';
  const share = (test: (text: string) => boolean): number => told.filter(test).length / told.length;
  if (share(isPeriod) > 0.6) return 'period';
  return share(isNumber) > 0.6 ? 'number' : 'text';
}

/** A column that groups the next one: blank or the same as above in many rows. */
function isGroupColumn(texts: readonly string[][], column: number): boolean {
  const told = texts.map((row) => row[column]!).filter((text) => text !== '');
  return new Set(told).size <= texts.length * 0.7;
}
