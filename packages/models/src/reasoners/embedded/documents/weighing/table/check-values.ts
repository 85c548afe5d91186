import { stemAll } from '@agonhq/engine/text';
import { findBoundAfter } from './check-limits.ts';
import { averages, comparatives, ordinals, sums, superlatives, type Direction } from './operator-words.ts';
import type { LinkedMention } from './link-claim.ts';
import type { ReadTable } from './read-table.ts';
import { findColumn, findRows, readValue, selectNarrowing, type AskedCells, type TableCheck } from './select-cells.ts';

function isSuperlative(stems: readonly string[], at: number): boolean {
  const stem = stems[at]!;
  if (!superlatives.has(stem)) return false;
  if (stems[at - 1] === 'at') return false;
  // "first round", "final score": a name, not a question.
  return !(
    ['first', 'last', 'final', 'top'].includes(stem) &&
    /^(?:round|name|place|leg|half|quarter|test|team|scor|match|elect|lady|time|\d+)$/.test(stems[at + 1] ?? '')
  );
}

export function checkSuperlative(asked: AskedCells): TableCheck | null {
  const { table, links, stems } = asked;
  const at = stems.findIndex((_, index) => isSuperlative(stems, index));
  if (at < 0) return null;
  const column = findColumn(asked, at);
  if (column === null) return null;
  const direction = turnForRanks(table, column, stems[at]!, superlatives.get(stems[at]!)!);
  const rank = Math.max(...[stems[at - 1], stems[at + 1]].map((stem) => ordinals.get(stem ?? '') ?? 1));
  const others = links.mentions.filter(({ from, to }) => !(from <= at && at < to));
  const limited = checkExtremeLimit(asked, at, column, direction, others);
  if (limited !== null) return limited;
  if (others.length === 0) return null;
  const extreme = `${links.tokens[at]!.text} ${table.columns[column]!.header}`;
  let seen: readonly number[] = [];
  for (const subject of others) {
    const filters = selectNarrowing(
      asked,
      others.filter((mention) => mention !== subject && !(subject.numeric && mention.numeric)),
    );
    const rows = findRows(table, filters);
    // The highest of one row is no highest.
    if (rows.length === 1 && filters.length > 0 && subject.numeric) continue;
    const best = findExtremes(table, rows.length > 0 ? rows : Array.from(table.rows.keys()), column, direction, rank);
    if (best.length === 0) continue;
    seen = best;
    const hit = best.find((row) => subject.rows.has(row));
    // What no row has together with the rest is said of another row.
    const isApart =
      rows.length === 0 && filters.some(({ whole, numeric, rows: own }) => whole && !numeric && !own.has(hit!));
    if (hit !== undefined && !isApart) return { holds: true, rows: [hit], why: `row ${hit + 1} has the ${extreme}` };
  }
  if (seen.length === 0) return null;
  return { holds: false, rows: seen, why: `the ${extreme} stands in row ${seen[0]! + 1}` };
}

/** "The lowest attendance is less than 13824": what the extreme comes to, against a limit behind it. */
function checkExtremeLimit(
  asked: AskedCells,
  at: number,
  column: number,
  direction: Direction,
  mentions: readonly LinkedMention[],
): TableCheck | null {
  const { table, stems } = asked;
  const operator = stems.findIndex(
    (stem, index) =>
      index > at && stems[index - 1] === 'be' && comparatives.has(stem) && findBoundAfter(asked, index) !== null,
  );
  if (operator < 0) return null;
  const bound = findBoundAfter(asked, operator)!;
  const rows = findRows(
    table,
    selectNarrowing(
      asked,
      mentions.filter(({ from, to }) => !(from <= bound && bound < to)),
    ),
  );
  const [row] = findExtremes(table, rows, column, direction, 1);
  const value = row === undefined ? null : readValue(table, row, column);
  if (row === undefined || value === null) return null;
  const limit = asked.links.tokens[bound]!.number!;
  return {
    holds: comparatives.get(stems[operator]!) === 'up' ? value > limit : value < limit,
    rows: [row],
    why: `the ${asked.links.tokens[at]!.text} ${table.columns[column]!.header} is ${value}`,
  };
}

const ranked = /^(?:rank|pos|position|place|placing|finish|seed|standing)/i;
const better = stemAll('high higher highest better best top');
const worse = stemAll('low lower lowest worse worst bottom');

/** The first rank is the highest. */
function turnForRanks({ columns }: ReadTable, column: number, stem: string, direction: Direction): Direction {
  if (!ranked.test(columns[column]!.header.trim())) return direction;
  return better.has(stem) ? 'down' : worse.has(stem) ? 'up' : direction;
}

function findExtremes(
  table: ReadTable,
  rows: readonly number[],
  column: number,
  direction: Direction,
  rank: number,
): number[] {
  const values = rows.flatMap((row) => readValue(table, row, column) ?? []);
  const ranked = Array.from(new Set(values)).sort((a, b) => (direction === 'up' ? b - a : a - b));
  const wanted = ranked[rank - 1];
  return wanted === undefined ? [] : rows.filter((row) => readValue(table, row, column) === wanted);
}

export function checkComparison(asked: AskedCells): TableCheck | null {
  const { table, links, stems } = asked;
  let than = stems.indexOf('than');
  let operator = than < 0 ? -1 : findLastBefore(stems, than, comparatives);
  if (than < 0) {
    operator = stems.findIndex((stem) => ['befor', 'after'].includes(stem));
    than = operator;
  }
  // "More than 3 million" names no other.
  if (operator < 0 || links.tokens[than + 1]?.number !== null) return null;
  const names = links.mentions.filter(({ numeric }) => !numeric);
  const left = names.filter(({ to }) => to <= than).at(0);
  if (left && stems[than + 1] === 'any') return checkAgainstAll(asked, left, operator, than);
  const right = names.find(({ from }) => from > than);
  if (!left || !right) return null;
  const column = findColumn(asked, operator);
  const said = comparatives.get(stems[operator]!)!;
  const direction = column === null ? said : turnForRanks(table, column, stems[operator]!, said);
  const [a, b] = [left, right].map(({ rows }) =>
    Array.from(rows).filter((row) => column === null || readValue(table, row, column) !== null),
  ) as [number[], number[]];
  if (a.length === 0 || b.length === 0) return null;
  const measure = (rows: readonly number[]): number =>
    column === null ? rows.length : Math.max(...rows.map((row) => readValue(table, row, column)!));
  const gap = measure(a) - measure(b);
  const by = [
    ...links.tokens.slice(Math.max(0, operator - 3), operator),
    ...links.tokens.slice(operator + 1, than),
  ].find(({ number }) => number !== null)?.number;
  const rightWay = direction === 'up' ? gap > 0 : gap < 0;
  const holds = rightWay && (by === null || by === undefined || Math.abs(Math.abs(gap) - by) < 1e-6 * Math.max(1, by));
  const beside = [...left.cells, ...right.cells].slice(0, 4).map(({ row }) => row);
  return {
    holds,
    rows: column === null ? beside : [a[0]!, b[0]!],
    why: `${measure(a)} against ${measure(b)}${column === null ? ' rows' : ` in ${table.columns[column]!.header}`}`,
  };
}

/** "More than any other": one row against all, or those that are named. */
function checkAgainstAll(asked: AskedCells, left: LinkedMention, operator: number, than: number): TableCheck | null {
  const { table, links, stems } = asked;
  const column = findColumn(asked, operator);
  if (column === null) return null;
  const narrowing = links.mentions.filter(({ from, numeric }) => from > than && !numeric);
  const values = (rows: Iterable<number>): number[] =>
    Array.from(rows).flatMap((row) => readValue(table, row, column) ?? []);
  const own = values(left.rows);
  const others = values(findRows(table, narrowing).filter((row) => !left.rows.has(row)));
  if (own.length === 0 || others.length === 0) return null;
  const up = turnForRanks(table, column, stems[operator]!, comparatives.get(stems[operator]!)!) === 'up';
  const [mine, best] = up ? [Math.max(...own), Math.max(...others)] : [Math.min(...own), Math.min(...others)];
  return {
    holds: up ? mine > best : mine < best,
    rows: Array.from(left.rows).slice(0, 2),
    why: `${mine} against ${best} in ${table.columns[column]!.header}`,
  };
}

function findLastBefore(stems: readonly string[], at: number, words: ReadonlyMap<string, unknown>): number {
  for (let index = at - 1; index >= Math.max(0, at - 7); index -= 1) if (words.has(stems[index]!)) return index;
  return -1;
}

export function checkAggregate(asked: AskedCells): TableCheck | null {
  const { table, links, stems } = asked;
  // "A total of 6 games" counts, and a row or column that is called a total is looked up.
  const isNamed = (at: number): boolean => links.mentions.some(({ from, to }) => from <= at && at < to);
  const counts = (at: number): boolean => stems[at + 1] === 'of' && links.tokens[at + 2]?.number !== null;
  const at = stems.findIndex(
    (stem, index) => (averages.has(stem) || sums.has(stem)) && !isNamed(index) && !counts(index),
  );
  if (at < 0) return null;
  const column = findColumn(asked, at);
  if (column === null) return null;
  const numbers = links.tokens.flatMap(({ number }, index) => (number === null ? [] : [{ number, index }]));
  if (numbers.length === 0) return null;
  for (const { number, index } of numbers) {
    const filters = links.mentions.filter(({ from, to }) => !(from <= index && index < to) && from !== at);
    const named = findRows(table, filters);
    const rows = (named.length > 0 ? named : Array.from(table.rows.keys())).filter(
      (row) => readValue(table, row, column) !== null,
    );
    const sum = rows.reduce((total, row) => total + readValue(table, row, column)!, 0);
    const value = averages.has(stems[at]!) ? sum / rows.length : sum;
    const operator = [stems[index - 1], stems[index - 2]]
      .map((stem) => comparatives.get(stem ?? ''))
      .find((direction) => direction !== undefined);
    const decimals = (String(number).split('.')[1] ?? '').length;
    const near = Math.abs(value - number) <= 0.51 * 10 ** -decimals;
    const holds = operator === undefined ? near : operator === 'up' ? value > number : value < number;
    if (holds || number === numbers.at(-1)!.number) {
      return {
        holds,
        rows: rows.slice(0, 12),
        why: `it comes to ${Number(value.toFixed(2))} over ${rows.length} rows`,
      };
    }
  }
  return null;
}
