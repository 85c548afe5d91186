import { comparatives, counting } from './operator-words.ts';
import { findColumn, findRows, readValue, type AskedCells, type TableCheck } from './select-cells.ts';

/** "More than 20000" of a column: the words that say so, and the rows of which it is true. */
interface Limit {
  column: number;
  bound: number;
  test: (row: number) => boolean;
}

/** The limit that a claim sets to a column; `count` is a number that counts rows, and no limit. */
export function findLimit(asked: AskedCells, count: number | null = null): Limit | null {
  const { table, links, stems } = asked;
  const isOperator = (stem: string, at: number): boolean => {
    const bound = comparatives.has(stem) ? findBoundAfter(asked, at) : null;
    return bound !== null && bound !== count;
  };
  const operator = stems.findIndex(isOperator);
  const bound = operator < 0 ? null : findBoundAfter(asked, operator);
  const column = bound === null ? null : findColumn(asked, operator);
  // "More than 3 games": a noun that no header has counts rows.
  const isNamed = links.headers.some(({ column: own }) => own === column);
  if (bound === null || column === null || (!isNamed && (count !== null || links.unknown.includes(bound + 1))))
    return null;
  const limit = links.tokens[bound]!.number!;
  const up = comparatives.get(stems[operator]!) === 'up';
  const test = (row: number): boolean => {
    const value = readValue(table, row, column);
    return value !== null && (up ? value > limit : value < limit);
  };
  return { column, bound, test };
}

/** "a crowd of more than 20000": the number after an operator, against the column of the rows that are named. */
export function checkThreshold(asked: AskedCells): TableCheck | null {
  const { table, links } = asked;
  const limit = countsRows(asked) ? null : findLimit(asked);
  if (limit === null) return null;
  const { column, bound, test } = limit;
  const filters = links.mentions.filter(({ from, to }) => !(from <= bound && bound < to));
  const rows = findRows(table, filters).filter((row) => readValue(table, row, column) !== null);
  if (filters.length === 0 || rows.length === 0) return null;
  return {
    holds: rows.every(test),
    rows: rows.slice(0, 4),
    why: `${table.columns[column]!.header} there is ${rows
      .slice(0, 3)
      .map((row) => readValue(table, row, column))
      .join(', ')}`,
  };
}

/** "There are 3 …", "3 teams …", "1 of 3 …": how many rows there are is asked, and a limit only says which. */
function countsRows({ links: { tokens }, stems }: AskedCells): boolean {
  const isNumber = (at: number): boolean => tokens[at] !== undefined && tokens[at].number !== null;
  const there = stems.indexOf(counting.there);
  return (
    isNumber(0) ||
    (there >= 0 && isNumber(there + 2)) ||
    stems.some((stem, at) => stem === 'of' && isNumber(at - 1) && isNumber(at + 1))
  );
}

/** The number right behind an operator, or behind its "than". */
export function findBoundAfter({ links, stems }: AskedCells, operator: number): number | null {
  for (let at = operator + 1; at <= operator + 2 && at < stems.length; at += 1) {
    if (links.tokens[at]!.number !== null) return at;
    if (stems[at] !== 'than') return null;
  }
  return null;
}
