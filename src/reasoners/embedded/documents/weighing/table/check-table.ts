import {
  averages,
  comparatives,
  counting,
  negations,
  ordinals,
  sums,
  superlatives,
  temporal,
  universal,
  type Direction,
} from './operator-words.ts';
import type { CellPlace, Links, Mention } from './link-claim.ts';
import type { ReadTable } from './read-table.ts';

export type TableCheckKind =
  | 'lookup'
  | 'count'
  | 'only'
  | 'superlative'
  | 'comparison'
  | 'threshold'
  | 'aggregate'
  | 'all';

/** What a table says to one reading of a claim. */
export interface TableCheck {
  kind: TableCheckKind;
  holds: boolean;
  cells: readonly CellPlace[];
  why: string;
}

interface Asked {
  table: ReadTable;
  links: Links;
  stems: readonly string[];
}

/** Every reading of a claim that a table can answer. */
export function checkTable(table: ReadTable, links: Links): TableCheck[] {
  const asked: Asked = { table, links, stems: links.tokens.map(({ stem }) => stem) };
  return [
    checkSuperlative,
    checkComparison,
    checkThreshold,
    checkAggregate,
    checkOnly,
    checkAll,
    checkCount,
    checkLookup,
  ].flatMap((check) => check(asked) ?? []);
}

function formatRowCount(rows: number): string {
  return rows === 1 ? '1 row is' : `${rows} rows are`;
}

/** The rows in which every mention stands. */
function findRows(table: ReadTable, mentions: readonly Mention[]): number[] {
  const all = Array.from(table.rows.keys());
  // Two words from one column that never meet in a row ("X and Y") name either.
  const groups: Set<number>[] = [];
  const done = new Set<Mention>();
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

function readValue({ rows }: ReadTable, row: number, column: number): number | null {
  return rows[row]?.[column]?.value ?? null;
}

function isDate({ columns, rows }: ReadTable, column: number): boolean {
  if (/\b(?:date|year|season|week|time|aired?|round|day|opened|built|born|start)\b/i.test(columns[column]!.header))
    return true;
  return rows.slice(0, 5).some((cells) => /\b(?:1[6-9]\d\d|20\d\d)\b/.test(cells[column]?.cell.text ?? ''));
}

/** The header named nearest to an operator, else for words of time the first column of dates. */
function findColumn({ table, links, stems }: Asked, at: number): number | null {
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
function selectNarrowing({ links, table }: Asked, mentions: readonly Mention[] = links.mentions): Mention[] {
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

function checkSuperlative(asked: Asked): TableCheck | null {
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

function checkComparison(asked: Asked): TableCheck | null {
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
function checkThreshold(asked: Asked): TableCheck | null {
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

function checkAggregate(asked: Asked): TableCheck | null {
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

function checkOnly({ table, links, stems }: Asked): TableCheck | null {
  const only = stems.indexOf('only');
  if (only < 0) return null;
  const subject =
    links.mentions.filter(({ to, numeric }) => to <= only && !numeric).at(-1) ??
    links.mentions.find(({ from, numeric }) => from > only && !numeric);
  if (!subject || links.tokens[only + 1]?.number !== null) return null;
  const filters = links.mentions.filter((mention) => mention !== subject);
  if (filters.length === 0) return null;
  const rows = findRows(table, filters);
  const holds = rows.length > 0 && rows.every((row) => subject.rows.has(row));
  return {
    kind: 'only',
    holds,
    cells: rows.slice(0, 4).flatMap((row) => filters[0]!.cells.filter((cell) => cell.row === row).slice(0, 1)),
    why: `${formatRowCount(rows.length)} like that`,
  };
}

function checkAll({ table, links, stems }: Asked): TableCheck | null {
  const at = stems.findIndex((stem) => universal.has(stem));
  if (at < 0 || links.mentions.length === 0) return null;
  const { mentions } = links;
  const scope = mentions.length > 1 ? findRows(table, mentions.slice(0, -1)) : Array.from(table.rows.keys());
  const asserted = mentions.at(-1)!;
  if (scope.length < 2) return null;
  const outside = scope.filter((row) => !asserted.rows.has(row));
  return {
    kind: 'all',
    holds: outside.length === 0,
    cells: outside.slice(0, 2).flatMap((row) => asserted.cells.slice(0, 1).map(({ column }) => ({ row, column }))),
    why: `${outside.length} of ${scope.length} rows differ`,
  };
}

function checkCount(asked: Asked): TableCheck | null {
  const { table, links, stems } = asked;
  const { tokens, mentions, headers } = links;
  for (const [at, { number }] of tokens.entries()) {
    if (
      number === null ||
      !Number.isInteger(number) ||
      number > table.rows.length + 3 ||
      /^\d{4}$/.test(tokens[at]!.text)
    )
      continue;
    const within = mentions.find(({ from, to }) => from <= at && at < to);
    if (within && within.to - within.from > 1) continue;
    const previous = stems[at - 1];
    const next = stems[at + 1];
    const asks =
      (previous === 'be' && stems[at - 2] === counting.there) ||
      at === 0 ||
      previous === 'only' ||
      next === counting.times ||
      next === 'different' ||
      (next === 'of' && stems[at + 2] === 'the') ||
      previous === 'have' ||
      counting.verbs.has(previous ?? '') ||
      comparatives.has(previous ?? '') ||
      previous === 'than' ||
      previous === 'least';
    if (!asks) continue;
    const named = headers.find(
      ({ from }) =>
        from === at - 1 || (from < at && stems.slice(from + 1, at).every((stem) => stem === 'be' || stem === 'of')),
    );
    if (named && within?.cells.some(({ column }) => column === named.column)) continue;
    const filters = selectNarrowing(
      asked,
      mentions.filter((mention) => mention !== within),
    );
    const rows = findRows(table, filters);
    const column = headers.find(({ from }) => from > at && from <= at + 3)?.column;
    const distinct =
      column === undefined ? rows.length : new Set(rows.map((row) => table.rows[row]![column]?.cell.text)).size;
    const operator = [previous, stems[at - 2]]
      .map((stem) => comparatives.get(stem ?? ''))
      .find((direction) => direction !== undefined);
    const atLeast = stems[at - 2] === 'at' && (previous === 'least' || previous === 'most') ? previous : null;
    const fits = (count: number): boolean =>
      atLeast
        ? atLeast === 'least'
          ? count >= number
          : count <= number
        : operator === undefined
          ? count === number
          : operator === 'up'
            ? count > number
            : count < number;
    return {
      kind: 'count',
      holds: fits(rows.length) || fits(distinct),
      cells: rows
        .slice(0, 12)
        .flatMap((row) =>
          filters[0] ? filters[0].cells.filter((cell) => cell.row === row).slice(0, 1) : [{ row, column: column ?? 0 }],
        ),
      why: `${formatRowCount(rows.length)} like that, ${number} stated`,
    };
  }
  return null;
}

function explainLookup({
  agrees,
  misplaced,
  foreign,
  row,
}: {
  agrees: boolean;
  misplaced: boolean;
  foreign: boolean;
  row: number;
}): string {
  if (!agrees) return `no row says all of it, and row ${row} comes nearest`;
  if (misplaced) return `row ${row} has the number under another heading`;
  return foreign ? `row ${row} is meant, and the number is nowhere in the table` : `row ${row} says all of it`;
}

/** `2008`, or the `09` of `2008 - 09`. */
function isYear(tokens: Links['tokens'], at: number): boolean {
  const year = /^(?:1[6-9]|20)\d\d$/;
  return year.test(tokens[at]!.text) || (/^\d\d$/.test(tokens[at]!.text) && year.test(tokens[at - 1]?.text ?? ''));
}

/** Words of a reading that asks for more than a row. */
function asksForMore(stems: readonly string[], at: number): boolean {
  return stems
    .slice(Math.max(0, at - 3), at + 3)
    .some(
      (stem) =>
        comparatives.has(stem) ||
        superlatives.has(stem) ||
        averages.has(stem) ||
        sums.has(stem) ||
        ['only', 'season', 'point'].includes(stem),
    );
}

/** The plainest reading: one row says everything that is named. */
function checkLookup({ table, links, stems }: Asked): TableCheck | null {
  const { mentions, headers } = links;
  if (mentions.length === 0) return null;
  let best = { row: -1, hit: 0 };
  const weight = (mention: Mention): number => (mention.whole ? 1 : 0.6);
  for (const row of table.rows.keys()) {
    const hit = mentions.reduce((sum, mention) => sum + (mention.rows.has(row) ? weight(mention) : 0), 0);
    if (hit > best.hit) best = { row, hit };
  }
  const total = mentions.reduce((sum, mention) => sum + weight(mention), 0);
  const both = findRows(table, mentions).length > 0;
  const negated = stems.some((stem) => negations.has(stem));
  const agrees = both || best.hit >= total - 1e-9;
  // A number that stands in the row, but under another header than the one beside it in the claim.
  const misplaced = mentions.some((mention) => {
    if (!mention.numeric) return false;
    const beside = headers.filter(
      ({ from, to }) => Math.min(Math.abs(mention.from - to), Math.abs(from - mention.to)) <= 1,
    );
    return (
      beside.length > 0 &&
      !mention.cells.some(({ row, column }) => row === best.row && beside.some((header) => header.column === column))
    );
  });
  // A number that the table does not have at all; years may stand in its title.
  const foreign = links.unknown.some(
    (at) => links.tokens[at]!.number !== null && !isYear(links.tokens, at) && !asksForMore(stems, at),
  );
  const holds = (agrees && !misplaced && !foreign) !== negated;
  return {
    kind: 'lookup',
    holds,
    cells: mentions.flatMap(({ cells }) => cells.filter(({ row }) => row === best.row).slice(0, 1)),
    why: explainLookup({ agrees, misplaced, foreign, row: best.row + 1 }),
  };
}
