import type { ReadTable } from './read-table.ts';
import { isCommonStem, stemAll, type WordToken } from '@agonhq/engine/text';

interface CellPlace {
  row: number;
  column: number;
}

/** Words of a claim that stand in cells of a table. */
export interface LinkedMention {
  /** Tokens of the claim. */
  from: number;
  to: number;
  cells: readonly CellPlace[];
  rows: ReadonlySet<number>;
  /** A number and nothing else. */
  numeric: boolean;
  /** The cells say this and no more. */
  whole: boolean;
}

export interface HeaderMention {
  from: number;
  to: number;
  column: number;
}

/** What of a claim a table knows. */
export interface Links {
  tokens: readonly WordToken[];
  mentions: readonly LinkedMention[];
  headers: readonly HeaderMention[];
  /** Tokens, by number, that no cell and no header has. */
  unknown: readonly number[];
}

interface Hit extends CellPlace {
  whole: boolean;
}

const longest = 8;

interface TableIndex {
  cells: Map<string, Hit[]>;
  headers: Map<string, number[]>;
}

const indexes = new WeakMap<ReadTable, TableIndex>();

function indexTable(table: ReadTable): TableIndex {
  let index = indexes.get(table);
  if (index) return index;
  index = { cells: new Map(), headers: new Map() };
  for (const [row, cells] of table.rows.entries()) {
    for (const [column, cell] of cells.entries()) {
      if (cell) for (const [key, whole] of listRuns(cell.stems)) addTo(index.cells, key, { row, column, whole });
    }
  }
  for (const [column, { stems }] of table.columns.entries())
    for (const [key] of listRuns(stems)) addTo(index.headers, key, column);
  indexes.set(table, index);
  return index;
}

function* listRuns(stems: readonly string[]): Iterable<[string, boolean]> {
  for (let from = 0; from < stems.length; from += 1) {
    for (let to = from + 1; to <= Math.min(stems.length, from + longest); to += 1)
      yield [stems.slice(from, to).join(' '), to - from === stems.length];
  }
}

function addTo<Value>(index: Map<string, Value[]>, key: string, value: Value): void {
  const values = index.get(key);
  if (values) values.push(value);
  else index.set(key, [value]);
}

/** What the letters of a column of results stand for. */
const results: readonly ReadonlySet<string>[] = ['w win won', 'l loss lost lose', 'd draw t tie tied'].map(stemAll);

/** "Wins" and "losses" are rows whose result begins with a letter for them, where a column has results. */
function findResults({ rows, columns }: ReadTable, stem: string): CellPlace[] {
  const asked = results.find((words) => words.has(stem) && stem.length > 1);
  if (asked === undefined) return [];
  return columns.flatMap((_, column) => {
    const first = rows.map((cells) => cells[column]?.stems[0]);
    const filled = first.filter((one) => one !== undefined);
    const found = results.filter((words) => filled.some((one) => words.has(one)));
    const told = filled.filter((one) => results.some((words) => words.has(one)));
    if (found.length < 2 || told.length < 0.6 * filled.length) return [];
    return first.flatMap((one, row) => (one !== undefined && asked.has(one) ? [{ row, column }] : []));
  });
}

function makeMention(found: Omit<LinkedMention, 'rows'>): LinkedMention {
  return { ...found, rows: new Set(found.cells.map(({ row }) => row)) };
}

/** Finds the words of a claim in a table, the longest runs first. */
export function linkClaim(tokens: readonly WordToken[], table: ReadTable): Links {
  const index = indexTable(table);
  const taken = tokens.map(() => false);
  const mentions: LinkedMention[] = [];
  const headers: HeaderMention[] = [];
  for (let length = Math.min(longest, tokens.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= tokens.length; from += 1) {
      const to = from + length;
      const span = tokens.slice(from, to);
      if (taken.slice(from, to).some(Boolean) || span.every(({ stem }) => isCommonStem(stem))) continue;
      const key = span.map(({ stem }) => stem).join(' ');
      const columns = index.headers.get(key) ?? [];
      const hits = index.cells.get(key) ?? [];
      const whole = hits.filter((hit) => hit.whole);
      // "of the season" is no run of its own, "goals against" is, where a header says so and no more.
      const loose = length > 1 && (isCommonStem(span[0]!.stem) || isCommonStem(span.at(-1)!.stem));
      if (loose && whole.length === 0 && !columns.some((column) => table.columns[column]!.stems.length === length))
        continue;
      const numeric = span.every(({ number }) => number !== null);
      if (columns.length > 0 && whole.length === 0 && !numeric)
        for (const column of new Set(columns)) headers.push({ from, to, column });
      else if (hits.length > 0) {
        const kept = whole.length > 0 ? whole : hits;
        mentions.push(makeMention({ from, to, cells: kept, numeric, whole: whole.length > 0 }));
        if (columns.length > 0) for (const column of new Set(columns)) headers.push({ from, to, column });
      } else continue;
      taken.fill(true, from, to);
    }
  }
  for (const [from, { stem }] of tokens.entries()) {
    const cells = taken[from] ? [] : findResults(table, stem);
    if (cells.length === 0) continue;
    mentions.push(makeMention({ from, to: from + 1, cells, numeric: false, whole: false }));
    taken[from] = true;
  }
  const byPlace = (a: { from: number }, b: { from: number }): number => a.from - b.from;
  return {
    tokens,
    mentions: mentions.sort(byPlace),
    headers: headers.sort(byPlace),
    unknown: tokens.flatMap(({ stem }, at) => (taken[at] || isCommonStem(stem) ? [] : [at])),
  };
}
