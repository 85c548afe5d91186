import { averages, comparatives, ordinals, sums, superlatives, type Direction } from './operator-words.ts';
import type { CellPlace } from './link-claim.ts';
import type { ReadTable } from './read-table.ts';
import { findColumn, findRows, readValue, selectNarrowing, type Asked, type TableCheck } from './select-cells.ts';

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

export function checkSuperlative(asked: Asked): TableCheck | null {
  const { table, links, stems } = asked;
  const at = stems.findIndex((_, index) => isSuperlative(stems, index));
  if (at < 0) return null;
  const column = findColumn(asked, at);
  if (column === null) return null;
  const direction = superlatives.get(stems[at]!)!;
  const rank = Math.max(...[stems[at - 1], stems[at + 1]].map((stem) => ordinals.get(stem ?? '') ?? 1));
  const others = links.mentions.filter(({ from, to }) => !(from <= at && at < to));
  if (others.length === 0) return null;
  let seen: CellPlace[] = [];
  for (const subject of others) {
    const filters = selectNarrowing(
      asked,
      others.filter((mention) => mention !== subject && !(subject.numeric && mention.numeric)),
    );
    const rows = findRows(table, filters);
    const best = findExtremes(table, rows.length > 0 ? rows : Array.from(table.rows.keys()), column, direction, rank);
    if (best.length === 0) continue;
    seen = best.map((row) => ({ row, column }));
    const hit = best.find((row) => subject.rows.has(row));
    if (hit !== undefined)
      return {
        kind: 'superlative',
        holds: true,
        cells: [{ row: hit, column }, ...subject.cells.filter(({ row }) => row === hit)],
        why: `row ${hit + 1} has the ${links.tokens[at]!.text} ${table.columns[column]!.header}`,
      };
  }
  return seen.length === 0
    ? null
    : {
        kind: 'superlative',
        holds: false,
        cells: seen,
        why: `the ${links.tokens[at]!.text} ${table.columns[column]!.header} stands in row ${seen[0]!.row + 1}`,
      };
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

export function checkComparison(asked: Asked): TableCheck | null {
  const { table, links, stems } = asked;
  let than = stems.indexOf('than');
  let operator = than < 0 ? -1 : findLastBefore(stems, than, comparatives);
  if (than < 0) {
    operator = stems.findIndex((stem) => ['befor', 'after'].includes(stem));
    than = operator;
  }
  if (operator < 0) return null;
  const names = links.mentions.filter(({ numeric }) => !numeric);
  const left = names.filter(({ to }) => to <= than).at(0);
  const right = names.find(({ from }) => from > than);
  if (!left || !right) return null;
  const direction = comparatives.get(stems[operator]!)!;
  const column = findColumn(asked, operator);
  const [a, b] = [left, right].map(({ rows }) =>
    Array.from(rows).filter((row) => column === null || readValue(table, row, column) !== null),
  ) as [number[], number[]];
  if (a.length === 0 || b.length === 0) return null;
  const measure = (rows: readonly number[]): number =>
    column === null ? rows.length : Math.max(...rows.map((row) => readValue(table, row, column)!));
  const gap = measure(a) - measure(b);
  const by = links.tokens.slice(Math.max(0, operator - 3), operator).find(({ number }) => number !== null)?.number;
  const rightWay = direction === 'up' ? gap > 0 : gap < 0;
  const holds = rightWay && (by === null || by === undefined || Math.abs(Math.abs(gap) - by) < 1e-6 * Math.max(1, by));
  const cells =
    column === null
      ? [...left.cells, ...right.cells].slice(0, 4)
      : [
          { row: a[0]!, column },
          { row: b[0]!, column },
        ];
  return {
    kind: 'comparison',
    holds,
    cells,
    why: `${measure(a)} against ${measure(b)}${column === null ? ' rows' : ` in ${table.columns[column]!.header}`}`,
  };
}

function findLastBefore(stems: readonly string[], at: number, words: ReadonlyMap<string, unknown>): number {
  for (let index = at - 1; index >= Math.max(0, at - 7); index -= 1) if (words.has(stems[index]!)) return index;
  return -1;
}

/** "a crowd of more than 20000": the number after an operator, against the column of the rows that are named. */
export function checkThreshold(asked: Asked): TableCheck | null {
  const { table, links, stems } = asked;
  const operator = stems.findIndex((stem, index) => comparatives.has(stem) && findBoundAfter(asked, index) !== null);
  if (operator < 0) return null;
  const bound = findBoundAfter(asked, operator)!;
  const column = findColumn(asked, operator);
  if (column === null) return null;
  const filters = links.mentions.filter(({ from, to }) => !(from <= bound && bound < to));
  const rows = findRows(table, filters).filter((row) => readValue(table, row, column) !== null);
  if (filters.length === 0 || rows.length === 0) return null;
  const limit = links.tokens[bound]!.number!;
  const up = comparatives.get(stems[operator]!) === 'up';
  const every = rows.every((row) =>
    up ? readValue(table, row, column)! > limit : readValue(table, row, column)! < limit,
  );
  return {
    kind: 'threshold',
    holds: every,
    cells: rows.slice(0, 4).map((row) => ({ row, column })),
    why: `${table.columns[column]!.header} there is ${rows
      .slice(0, 3)
      .map((row) => readValue(table, row, column))
      .join(', ')}`,
  };
}

function findBoundAfter({ links, stems }: Asked, operator: number): number | null {
  for (let at = operator + 1; at <= operator + 2 && at < stems.length; at += 1) {
    if (links.tokens[at]!.number !== null) return at;
    if (stems[at] !== 'than') return null;
  }
  return null;
}

export function checkAggregate(asked: Asked): TableCheck | null {
  const { table, links, stems } = asked;
  const at = stems.findIndex((stem) => averages.has(stem) || sums.has(stem));
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
        kind: 'aggregate',
        holds,
        cells: rows.slice(0, 12).map((row) => ({ row, column })),
        why: `it comes to ${Number(value.toFixed(2))} over ${rows.length} rows`,
      };
    }
  }
  return null;
}
