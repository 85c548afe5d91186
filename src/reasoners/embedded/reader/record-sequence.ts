import { tokenize } from '../runtime/tokenizer.ts';
import type { Vocabulary } from '../runtime/vocabulary.ts';
import { findFigure, findNumbers, isDerived, isNear, relateNumber, relation, type Figure } from './figures.ts';
import {
  isNamed,
  joinSequence,
  listShared,
  listStems,
  noFeatures,
  roomBeside,
  sumShares,
  type EncodedClaim,
  type Marks,
  type Sequence,
  type Tokens,
} from './sequence.ts';

/** A record, such as an infobox: what it is about, and its keys with their values. */
export interface FactRecord {
  title: string;
  facts: readonly (readonly [key: string, value: string])[];
}

interface EncodedCell {
  ids: readonly number[];
  stems: ReadonlySet<string>;
  number: number | null;
}

/** A record with its tokens, words and ranks, for many claims. */
export interface EncodedRecord {
  title: { ids: readonly number[]; numbers: readonly number[] };
  rows: readonly (readonly [EncodedCell, EncodedCell])[];
  /** Of each cell: rank in its column from above and below, in its row, and whether it is more than its neighbours. */
  places: readonly (readonly (readonly number[])[])[];
  words: ReadonlySet<string>;
  counts: ReadonlyMap<string, number>;
}

const longestTitle = 28;
const longestFact = 40;
const leading = /^([^0-9A-Za-z]*)(\d+(?:,\d+)*(?:\.\d+)?|\.\d+)/;

export function encodeRecord({ title, facts }: FactRecord, vocabulary: Vocabulary): EncodedRecord {
  const encode = (text: string): EncodedCell => ({
    ids: tokenize(text, vocabulary).ids.slice(0, longestFact),
    stems: listStems(text),
    number: readCellNumber(text),
  });
  const rows = facts.map(([key, value]) => [encode(key), encode(value)] as const);
  const counts = new Map<string, number>();
  for (const [key, value] of rows)
    for (const stem of new Set([...key.stems, ...value.stems])) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const columns = ([0, 1] as const).map((at) => rankNumbers(rows.map((row) => row[at].number)));
  return {
    title: {
      ids: tokenize(title, vocabulary).ids.slice(0, longestTitle),
      numbers: findNumbers(`${title}  `).map(({ value }) => value),
    },
    rows,
    places: rows.map((row, at) =>
      ([0, 1] as const).map((column) => [
        ...columns[column]![at]!,
        // One number in a row has no rank there.
        0,
        0,
        compare(row[column].number, rows[at - 1]?.[column].number ?? null),
      ]),
    ),
    words: new Set([...listStems(title), ...counts.keys()]),
    counts,
  };
}

/** The number that a cell begins with, signs and brackets understood; null for words. */
function readCellNumber(text: string): number | null {
  const found = leading.exec(text.trim());
  if (!found) return null;
  const value = Number(found[2]!.replaceAll(',', ''));
  return /[-−–(]/.test(found[1]!) ? -value : value;
}

const lowestRank = 7;

function rankNumbers(values: readonly (number | null)[]): (readonly [number, number])[] {
  const known = Array.from(new Set(values.filter((value) => value !== null))).sort((a, b) => b - a);
  return values.map((value) => {
    if (value === null || known.length < 2) return [0, 0];
    const place = known.indexOf(value);
    return [Math.min(place + 1, lowestRank), Math.min(known.length - place, lowestRank)];
  });
}

function compare(now: number | null, before: number | null): number {
  return now === null || before === null ? 0 : now > before ? 1 : now < before ? 2 : 3;
}

const mostRows = 63;

/** A record beside a claim: all of it, or the rows that share most with the claim, in their order. */
export function sequenceRecord(claim: EncodedClaim, record: EncodedRecord, marks: Marks): Sequence {
  const { figures } = claim;
  const { columns, rows } = selectRows(claim, record);
  const { ids: title } = record.title;
  const passage: Tokens = { ids: [...title], features: title.map(() => noFeatures) };
  for (const at of rows) {
    for (const column of columns) {
      const { ids, stems, number } = record.rows[at]![column];
      const [high, low, rowHigh, rowLow, step] = record.places[at]![column]!;
      const related =
        number === null ? (isNamed(stems, claim) ? relation.same : relation.noNumber) : relateNumber(number, figures);
      const features = [Math.min(at + 1, mostRows), column + 1, high!, low!, rowHigh!, rowLow!, related, step!];
      passage.ids.push(...ids);
      passage.features.push(...ids.map(() => features));
    }
  }
  const states = figures.map((figure) => findInRecord(figure, claim, record));
  return joinSequence(claim, passage, { states, known: record.words, marks });
}

function selectRows(claim: EncodedClaim, { title, rows, places, counts }: EncodedRecord) {
  const room = roomBeside(claim) - title.ids.length;
  const all = rows.map((_, at) => at);
  const measure = (at: number, columns: readonly (0 | 1)[]): number =>
    columns.reduce<number>((sum, column) => sum + rows[at]![column].ids.length, 0);
  let columns: readonly (0 | 1)[] = [0, 1];
  if (all.reduce((sum, at) => sum + measure(at, columns), 0) <= room) return { columns, rows: all };
  const named = Math.max(0, ...rows.map(([, { stems }]) => listShared(stems, claim).length));
  if (named === 0) columns = [0];
  const value = rows.map((row, at) => {
    const shared = new Set(row.flatMap(({ stems }) => listShared(stems, claim)));
    const isExtreme = named > 1 && columns.length > 1 && places[at]![1]!.slice(0, 2).includes(1);
    return sumShares(Array.from(shared, (stem) => counts.get(stem)!)) + (isExtreme ? 0.05 : 0);
  });
  const kept: number[] = [];
  let used = 0;
  for (const at of all.toSorted((a, b) => value[b]! - value[a]! || a - b)) {
    const length = measure(at, columns);
    if (used + length > room) break;
    kept.push(at);
    used += length;
  }
  return { columns, rows: kept.sort((a, b) => a - b) };
}

const mostNamed = 6;

/** What became of a number of the claim: there, derived from rows that the claim names, an aggregate, or nothing. */
function findInRecord(figure: Figure, claim: EncodedClaim, { title, rows }: EncodedRecord): number {
  const numbers = rows.map((row) => row.map(({ number }) => number));
  const values = (some: readonly (number | null | undefined)[]) => some.filter((value) => typeof value === 'number');
  let found: number = findFigure(figure, [...values(numbers.flat()), ...title.numbers]);
  if (found === relation.notFound && !figure.isYear) {
    const named = rows.flatMap((row, at) => (row.some(({ stems }) => isNamed(stems, claim)) ? [at] : []));
    const across = values(named.slice(0, mostNamed).map((at) => numbers[at]![1]));
    const column = values(numbers.map((row) => row[1]));
    if (isDerived(figure, [across])) found = relation.derived;
    else if (isAggregate(figure, column)) found = relation.aggregate;
  }
  return figure.isCount && countRows(claim, rows).has(figure.value) ? relation.counted : found;
}

function isAggregate(figure: Figure, values: readonly number[]): boolean {
  if (values.length < 2) return false;
  const sum = values.reduce((total, value) => total + value, 0);
  return [sum, sum / values.length, Math.max(...values) - Math.min(...values)].some((value) => isNear(figure, value));
}

/** How many rows there are, and how many hold a text that the claim names. */
function countRows(claim: EncodedClaim, rows: EncodedRecord['rows']): Set<number> {
  const counts = new Set([rows.length]);
  for (const column of [0, 1] as const) {
    const seen = new Map<string, number>();
    for (const row of rows) {
      const { stems } = row[column];
      if (!isNamed(stems, claim)) continue;
      const key = Array.from(stems).sort().join(' ');
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    for (const count of seen.values()) counts.add(count);
  }
  return counts;
}
