import { scanMeantNumbers } from '../statements/qualify-numbers.ts';
import { findMoves, scanWordedNumbers } from '../statements/find-roles.ts';
import { isBasePeriod } from '../statements/find-periods.ts';
import { scanPeriods, type ScannedPeriod } from '../values/scan-periods.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { findBasis, type Basis } from '../values/read-basis.ts';
import { alignYear } from './fiscal-years.ts';
import { findNameWords, type Name, type TypedTable, type Fact } from './typed-table.ts';
import { isMarginOf, judgeFiller, narrows } from './known-words.ts';

const known = new WeakMap<TypedTable, Map<Basis | null, TypedTable>>();

/**
 * A table with the figures of one basis: what is said "as restated" is not held against what was first reported, and
 * what says nothing against neither, unless a period has only restated figures.
 */
function takeBasis(table: TypedTable, basis: Basis | null): TypedTable {
  const taken = known.get(table) ?? new Map<Basis | null, TypedTable>();
  known.set(table, taken);
  if (taken.size === 0 && table.facts.every(({ number }) => number.basis === null)) taken.set(null, table);
  let found = taken.get(basis);
  if (found === undefined) taken.set(basis, (found = { ...table, facts: table.facts.filter(isTaken) }));
  return found;

  function isTaken(fact: Fact): boolean {
    if (fact.number.basis === basis) return true;
    const isOnly = (): boolean =>
      !table.facts.some(
        ({ row, number }) => row === fact.row && number !== fact.number && number.period === fact.number.period,
      );
    return basis === null && fact.number.basis === 'restated' && isOnly();
  }
}

/** A name of a table, where a clause says it. */
export interface Mention {
  start: number;
  end: number;
  name: Name;
  /** All words of the name were said. */
  isWhole: boolean;
}

/** A part of a sentence that speaks of one thing, with all of it that a table knows. */
export interface StatementClause {
  text: string;
  table: TypedTable;
  mentions: readonly Mention[];
  periods: readonly ScannedPeriod[];
  /** Those that something is held against. */
  bases: readonly ScannedPeriod[];
  numbers: readonly ScannedNumber[];
  worded: ReturnType<typeof scanWordedNumbers>;
  moves: ReturnType<typeof findMoves>;
  /** Words that the table does not know and that may narrow down what is meant. */
  unknown: readonly string[];
  /** Those of them that stand right beside what is measured. */
  narrowing: readonly string[];
}

/** What is in a text, whatever table it is held against. */
function scanText(text: string) {
  const periods = scanPeriods(text);
  const basis = findBasis(text);
  return {
    basis: basis?.basis ?? null,
    periods: periods.filter((period) => !isBasePeriod(text, period)),
    bases: periods.filter((period) => isBasePeriod(text, period)),
    numbers: scanMeantNumbers(text, '.', periods),
    words: findNameWords(text)
      .filter(
        ({ start, end }) =>
          !periods.some((period) => start < period.end && end > period.start) &&
          !(basis !== null && start < basis.end && end > basis.start),
      )
      .map((one) => ({ ...one, filler: judgeFiller(text.slice(one.start, one.end), one.word) })),
    worded: scanWordedNumbers(text),
    moves: findMoves(text),
  };
}

const scanned = new Map<string, ReturnType<typeof scanText>>();

/** A sentence is held against many tables in turn: it is scanned once for all of them. */
function scanOnce(text: string): ReturnType<typeof scanText> {
  let found = scanned.get(text);
  if (found === undefined) {
    if (scanned.size > 200) scanned.clear();
    scanned.set(text, (found = scanText(text)));
  }
  return found;
}

export function readClause(text: string, all: TypedTable): StatementClause {
  const { basis, numbers, words, worded, moves, ...said } = scanOnce(text);
  const table = takeBasis(all, basis);
  const [periods, bases] = [said.periods, said.bases].map((found) =>
    found.map((one) => ({ ...one, period: alignYear(one.period, table) })),
  ) as [ScannedPeriod[], ScannedPeriod[]];
  const mentions = linkNames(text, words, table, numbers);
  const covered = (start: number, end: number): boolean =>
    mentions.some((mention) => start >= mention.start && end <= mention.end);
  const isKnown = ({ word, start, end }: { word: string; start: number; end: number }): boolean =>
    covered(start, end) || table.known.has(word) || isMarginOf(table, word);
  const unknown = words.filter((one, at) => {
    const next = words[at + 1];
    // "Gaming revenue": a participle right before what is measured says which one.
    const isMove = moves.some((move) => move.start <= one.start && move.end >= one.end);
    const isParticiple =
      one.filler === 'form' && !isMove && next !== undefined && next.start - one.end <= 1 && isKnown(next);
    return (
      !isKnown(one) &&
      !numbers.some((number) => one.start >= number.start && one.end <= number.end) &&
      !/^\d/.test(one.word) &&
      (one.filler === 'none' || isParticiple)
    );
  });
  const beside = [...mentions, ...words.filter(({ word }) => table.known.has(word))];
  return {
    text,
    table,
    mentions,
    periods,
    bases,
    numbers: numbers.filter(({ start, end }) => !covered(start, end)),
    worded,
    moves: moves.filter(({ start, end }) => !covered(start, end)),
    unknown: unknown.map(({ start, end }) => text.slice(start, end)),
    narrowing: unknown.filter((one) => narrows(text, one, beside)).map(({ start, end }) => text.slice(start, end)),
  };
}

interface Candidate {
  name: Name;
  words: readonly string[];
  whole: boolean;
}

/** The names that a clause says, the longest first; a part of a name where no other name has it. */
function linkNames(
  text: string,
  words: ReturnType<typeof findNameWords>,
  { names }: TypedTable,
  numbers: readonly ScannedNumber[],
): Mention[] {
  const said = new Set(words.map(({ word }) => word));
  const candidates = names.flatMap((name): Candidate[] => {
    if (name.words.length === 0 || !name.words.some((word) => said.has(word))) return [];
    if (name.words.every((word) => said.has(word))) return [{ name, words: name.words, whole: true }];
    const some = name.words.filter((word) => said.has(word) && !/^\d/.test(word));
    const isOwn = some.every(
      (word) =>
        !names.some((other) => other !== name && other.category === name.category && other.words.includes(word)),
    );
    return some.length > 0 && isOwn && (some[0] === name.words[0] || some.length * 2 > name.words.length)
      ? [{ name, words: some, whole: false }]
      : [];
  });
  const ordered = candidates.toSorted(
    (left, right) => Number(right.whole) - Number(left.whole) || right.words.length - left.words.length,
  );
  const mentions: Mention[] = [];
  for (const { name, words: wanted, whole } of ordered) {
    for (let from = 0; from < words.length; from++) {
      const run = findRun(words, from, wanted);
      if (run === null) continue;
      const [start, end] = [words[from]!.start, run.end];
      const taken = mentions.some(
        (mention) => start < mention.end && end > mention.start && !(mention.start === start && mention.end === end),
      );
      if (taken || numbers.some((number) => number.start === start && /\d/.test(text[start]!))) continue;
      mentions.push({ start, end, name, isWhole: whole });
    }
  }
  return mentions.toSorted((left, right) => left.start - right.start);
}

/** All words of a name close together, in any order. */
function findRun(
  words: ReturnType<typeof findNameWords>,
  from: number,
  wanted: readonly string[],
): { end: number } | null {
  const left = new Set(wanted);
  if (!left.delete(words[from]!.word)) return null;
  let last = words[from]!;
  for (let at = from + 1; left.size > 0 && at < words.length && at <= from + wanted.length; at++) {
    if (words[at]!.start - last.end > 12 || !left.delete(words[at]!.word)) return null;
    last = words[at]!;
  }
  return left.size === 0 ? { end: last.end } : null;
}
