import { isForecast } from '../statements/qualify-numbers.ts';
import { readBasis } from '../values/read-basis.ts';
import { asserts, cutPeriods, splitStatements } from '../statements/split-statements.ts';
import { isSamePeriod, readYear } from '../values/scan-periods.ts';
import { pattern, stemWithIrregulars } from '@agonhq/engine/text';
import { alignYear } from './fiscal-years.ts';
import { judge, listFacts, type Proposition } from './expression.ts';
import { isFiller, isMarginOf } from './known-words.ts';
import { readClause, type StatementClause, type Mention } from './read-clause.ts';
import { readDirections, readMultiples, readNumbersSaid } from './read-numbers-said.ts';
import { readComparisons, readOrders } from './read-orders.ts';
import { readGaps, readMajorities, readRatios, readShares } from './read-parts.ts';
import { readCounts } from './read-counts.ts';
import { readAggregates, readTrends } from './read-sets.ts';
import { isSameScope } from './same-scope.ts';
import type { NumberReading, NumberScope, StatementKind } from './scope.ts';
import { findNameWords, type TypedTable } from './typed-table.ts';

/** A sentence with what its surroundings say and it leaves out. */
export interface SaidNumber {
  text: string;
  period: string | null;
  /** The sentences and headings that it goes on about, the nearest first. */
  before: readonly string[];
  mayBeLatest: boolean;
}

/** What one thing that a sentence states comes to, computed from the cells that it speaks of. */
export interface JudgedReading {
  kind: StatementKind;
  /** In the sentence. */
  start: number;
  end: number;
  outcome: 'holds' | 'conflict';
  proposition: Proposition;
  table: TypedTable;
  numbers: readonly { start: number }[];
}

/** What a sentence states, part by part. */
export interface ReadStatement {
  readings: readonly JudgedReading[];
  /** How much of it was computed and holds: all, all but causes and forecasts, or less. */
  cover: Cover;
}

export type Cover = 'whole' | 'part' | 'none';

const causes = pattern('i')`
  ^[\s,]*(?:and\s+)?(?:driven by|(?:mainly |primarily |largely |partly |partially )?(?:due to|offset by|attributable to
  |because)|as a result|thanks to|owing to|reflecting|on the back of|supported by|helped by|resulting from|despite
  |although|though)\b`;
const denials = /\b(?:not|n't|neither|nor|hardly|no longer|cannot)\b|n't\b/i;

/** "As in many companies, sales rose": what stands beside the statement is left out, its place kept. */
function dropAside(clause: string): string {
  const aside =
    /^(?:[\s,]*)(?:as|like|unlike|despite|although|following|given|amid|in line with|in keeping with)\b[^,\d]{3,90},/iu;
  const behind =
    /,\s+(?:as|in line with|like|unlike|despite|in keeping with|according to|helped|reflecting|a sign)\b[^\d]*$/iu;
  return clause
    .replace(aside, (match) => (readBasis(match) === null ? ' '.repeat(match.length) : match))
    .replace(behind, (match) => ' '.repeat(match.length));
}

/** Reads what a sentence states and computes it, in every table that knows what it speaks of. */
export function readStatement(said: SaidNumber, tables: readonly TypedTable[]): ReadStatement {
  const readings: JudgedReading[] = [];
  let [isWhole, isShown] = [true, true];
  let carried = '';
  for (const [from, to] of splitStatements(said.text)) {
    const text = dropAside(said.text.slice(from, to));
    if (!/\p{L}{2}/u.test(text)) continue;
    if (causes.test(text) || isForecast(text)) {
      isWhole = false;
      isShown &&= !/\d/.test(cutPeriods(text));
      continue;
    }
    const found = tables.map((table) => judgeClause(text, table, said, carried));
    const settled = settle(found.flatMap((one) => (one === null ? [] : [one])));
    readings.push(
      ...settled.map((one) => ({
        ...one,
        start: one.start + from,
        end: one.end + from,
        numbers: one.numbers.map(({ start }) => ({ start: start + from })),
      })),
    );
    const numbers = found.find((one) => one !== null)?.clause.numbers ?? [];
    const covered = settled.flatMap((one) => one.numbers.map(({ start }) => start));
    isShown &&=
      settled.length > 0 &&
      settled.every(({ outcome }) => outcome === 'holds') &&
      numbers.every(({ start }) => covered.includes(start));
    carried = `${carried} ${text}`;
  }
  return { readings, cover: !isShown || readings.length === 0 ? 'none' : isWhole ? 'whole' : 'part' };
}

interface JudgedClause {
  clause: StatementClause;
  judged: readonly (JudgedReading | { kind: StatementKind; start: number; end: number; outcome: 'open' })[];
}

function judgeClause(text: string, table: TypedTable, said: SaidNumber, carried: string): JudgedClause | null {
  const clause = readClause(text, table);
  const period = said.period === null ? null : alignYear(said.period, table);
  const own = readAll({ clause, period, mayBeLatest: said.mayBeLatest });
  const used = own.length > 0 ? { clause, readings: own } : readWithSubject(clause, said, carried);
  if (used === null) return null;
  const judged = used.readings.map((reading) => {
    const outcomes = reading.alternatives.map((proposition) => ({ proposition, outcome: judge(proposition) }));
    const decided = outcomes.filter(({ outcome }) => outcome !== null);
    const [first] = decided;
    const { kind, start, end, numbers } = reading;
    if (first === undefined || decided.some(({ outcome }) => outcome !== first.outcome)) {
      return { kind, start, end, outcome: 'open' as const };
    }
    if (!first.outcome && isOfUnsaidSign(first.proposition, text))
      return { kind, start, end, outcome: 'open' as const };
    // What leaves out a name, a time or a number of the clause may have understood it otherwise than it was meant.
    if (!first.outcome && !(accountsForAll(used.clause, used.readings) && (said.mayBeLatest || isPlain(used.clause))))
      return { kind, start, end, outcome: 'open' as const };
    if (!first.outcome && !isSameScope(used.clause, reading, !said.mayBeLatest))
      return { kind, start, end, outcome: 'open' as const };
    return {
      kind,
      start,
      end,
      numbers,
      table,
      proposition: first.proposition,
      outcome: first.outcome ? ('holds' as const) : ('conflict' as const),
    };
  });
  return { clause: used.clause, judged };
}

const countedDown = /\b(?:used|loss(?:es)?|deficits?|outflows?|expenses?|costs?|charges?|payments?|repayments?)\b/i;

/** Of a loss, or of cash that was used, "decreased" may speak of the amount, which the table shows below nought. */
function isOfUnsaidSign(proposition: Proposition, words: string): boolean {
  if (proposition.op === 'every' || proposition.op === '=') return false;
  const facts = [...listFacts(proposition.left), ...listFacts(proposition.right)];
  return (
    facts.length > 1 &&
    facts.every(({ number }) => number.value < 0) &&
    (countedDown.test(words) || facts.some(({ row, column }) => countedDown.test(`${row.label} ${column.label}`)))
  );
}

function accountsForAll(clause: StatementClause, readings: readonly NumberReading[]): boolean {
  const facts = readings.flatMap(({ alternatives }) => alternatives.flatMap(listFacts));
  if (facts.length === 0) return true;
  const isUsed = ({ name }: Mention): boolean =>
    name.total || facts.some(({ row, column }) => name.rows?.has(row.index) || name.columns?.has(column.index));
  const isDated = ({ period }: { period: string }): boolean =>
    facts.some(
      ({ number }) =>
        number.period !== null && (isSamePeriod(number.period, period) || readYear(number.period) === readYear(period)),
    );
  const read = new Set(readings.flatMap(({ numbers }) => numbers.map(({ start }) => start)));
  return (
    isOfSameMeasure(clause) &&
    clause.mentions.every(isUsed) &&
    [...clause.periods, ...clause.bases].every(isDated) &&
    clause.numbers.every(({ start }) => read.has(start)) &&
    (readings.length > 1 || readings[0]!.kind !== 'level' || !unread.test(cutPeriods(clause.text)))
  );
}

/** A table of subscription revenue says nothing of all revenue. */
function isOfSameMeasure({ table, text }: StatementClause): boolean {
  const said = new Set(findNameWords(text).map(({ word }) => word));
  return table.grid.titleModifiers.every(
    (word) => said.has(stemWithIrregulars(word)) || isFiller(word, stemWithIrregulars(word)),
  );
}

/** In a long document many things have like names: only a sentence that opens with the very name contradicts. */
function isPlain({ text, mentions, periods, bases }: StatementClause): boolean {
  const first = Math.min(...mentions.map(({ start }) => start));
  return (
    mentions.length > 0 &&
    mentions.every(({ isWhole }) => isWhole) &&
    first >= 0 &&
    first < 40 &&
    text.length < 220 &&
    periods.length + bases.length > 0 &&
    asserts.test(cutPeriods(text).replace(/\d/g, ''))
  );
}

/** Words that ask for more than a value: where no reader took them, a value is not what is meant. */
const unread = pattern('iu')`
  \b(?:mark|threshold|limit|barrier|factor|gap|average\w*|mean|median|times|fold|most|least|\p{L}+est|every|each|both|all
  |together|jointly|combined|sum|total of|per|than|between|apart|ahead|behind|short of|plus|minus|added|shed|lost|gained
  |(?:the|an?|this) (?:\p{L}+ )?(?:increase|decrease|change|growth|decline|reduction|rise|fall|drop|gain|improvement)
  |cut|first|second|third|last|share|slice|part of|portion|none|no|only|beyond|past|cleared|crossed|topped|broke)\b`;

/** A clause that names too little goes on about what was named before it. */
function readWithSubject(
  clause: StatementClause,
  said: SaidNumber,
  carried: string,
): { clause: StatementClause; readings: NumberReading[] } | null {
  // In a long document what was named before is seldom what is meant.
  for (const before of said.mayBeLatest ? [carried, ...said.before] : [carried]) {
    if (before.trim() === '') continue;
    const earlier = readClause(before, clause.table);
    const added = earlier.mentions
      .filter(({ name }) => !clause.mentions.some((own) => own.name.category === name.category))
      .map(({ name }): Mention => ({ name, start: -1, end: -1, isWhole: true }));
    if (added.length === 0) continue;
    const wider = { ...clause, mentions: [...added, ...clause.mentions] };
    const period = said.period === null ? null : alignYear(said.period, clause.table);
    const readings = readAll({ clause: wider, period, mayBeLatest: said.mayBeLatest });
    if (readings.length > 0) return { clause: wider, readings };
  }
  return null;
}

/** A clause must name something of a table, or what the table is about. */
function isSpokenOf({ mentions, table, text }: StatementClause): boolean {
  return (
    mentions.length > 0 || findNameWords(text).some(({ word }) => table.title.has(word) || isMarginOf(table, word))
  );
}

/** "Dropped from 40 to 45", "grew to 76": the values may be right where the word is not. */
function movesTo({ text, moves }: StatementClause, levels: readonly NumberReading[]): boolean {
  if (!levels.every(({ kind }) => kind === 'level')) return false;
  return (
    levels.length > 1 ||
    moves.some(({ end }) => /^ (?:slightly |further |again )?to\b/i.test(text.slice(end, levels[0]!.start)))
  );
}

function readAll(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  if (!isSpokenOf(clause) || /\brespectively\b/i.test(clause.text)) return [];
  const trends = readTrends(scope);
  if (trends.length > 0) return trends;
  if (denials.test(clause.text)) return [];
  const counts = readCounts(scope);
  if (counts.length > 0) return counts;
  const first = [
    readMajorities,
    readShares,
    readRatios,
    readGaps,
    readAggregates,
    readOrders,
    readComparisons,
    readMultiples,
  ]
    .map((read) => read(scope))
    .find((readings) => readings.length > 0);
  const taken = (first ?? []).flatMap(({ numbers }) => numbers);
  const rest = readNumbersSaid(scope, taken);
  if (first !== undefined || rest.length > 0)
    return [...(first ?? []), ...rest, ...(first === undefined && movesTo(clause, rest) ? readDirections(scope) : [])];
  return clause.numbers.length === 0 && clause.worded.length === 0 ? readDirections(scope) : [];
}

/**
 * What all tables together say: one that bears a statement out vetoes those that do not, and a table that does not know
 * all of the words contradicts nothing.
 */
function settle(clauses: readonly JudgedClause[]): JudgedReading[] {
  const all = clauses.flatMap(({ clause, judged }) => judged.map((one) => ({ one, clause })));
  const groups = Map.groupBy(all, ({ one }) => `${one.start}:${one.end}`);
  return [...groups.values()].flatMap((members) => {
    const fewest = Math.min(...members.map(({ clause }) => clause.unknown.length));
    const near = members.filter(({ clause }) => clause.unknown.length === fewest);
    const held = near.find(({ one, clause }) => one.outcome === 'holds' && clause.narrowing.length === 0);
    if (held !== undefined) return [held.one as JudgedReading];
    const isOpen =
      near.some(({ one }) => one.outcome !== 'conflict') || members.some(({ one }) => one.outcome === 'holds');
    const against = near.find(({ one, clause }) => one.outcome === 'conflict' && clause.unknown.length === 0);
    return against === undefined || isOpen ? [] : [against.one as JudgedReading];
  });
}
