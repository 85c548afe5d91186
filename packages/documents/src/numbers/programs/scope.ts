import { findComparedPeriod, findPeriod, findPeriodAfter } from '../statements/find-periods.ts';
import { isLoose } from '../statements/qualify-numbers.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { findYearBefore } from '../values/scan-periods.ts';
import { bindSeries, findFact, findFactBefore, listParts, namesOf, type Wanted } from './bind-series.ts';
import type { Expression, Proposition } from './expression.ts';
import type { StatementClause, Mention } from './read-clause.ts';
import type { Fact, Name, Series } from './typed-table.ts';

/** What kind of statement a reading takes a clause for. */
export const statementKinds = [
  'level',
  'change',
  'direction',
  'share',
  'ratio',
  'average',
  'sum',
  'difference',
  'comparison',
  'rank',
  'peak',
  'trend',
  'count',
  'threshold',
] as const;
export type StatementKind = (typeof statementKinds)[number];

/** One thing that a clause states, in the ways that its words allow. */
export interface NumberReading {
  kind: StatementKind;
  /** In the clause. */
  start: number;
  end: number;
  alternatives: readonly Proposition[];
  /** The numbers that it accounts for. */
  numbers: readonly { start: number }[];
}

/** A clause with what it leaves to its surroundings. */
export interface NumberScope {
  clause: StatementClause;
  /** The period of the sentences before, or of the heading. */
  period: string | null;
  /** Without a period the latest is meant. */
  mayBeLatest: boolean;
}

export const cell = (fact: Fact): Expression => ({ op: 'cell', fact });

/** The one series that names pick out; null where they pick none or several. */
export function bindOne({ clause }: NumberScope, mentions: readonly Mention[], wanted: Wanted = 'any'): Series | null {
  const names = namesOf(mentions);
  const found = bindSeries(clause.table, names, wanted);
  if (found.length === 1) return found[0]!;
  const rates = wanted === 'any' ? bindSeries(clause.table, names, 'amount') : [];
  return rates.length === 1 ? rates[0]! : null;
}

/** The period that a number, or the clause, speaks of. */
export function findNow(
  { clause, period, mayBeLatest }: NumberScope,
  number?: ScannedNumber,
): string | null | undefined {
  const { periods, bases, text, numbers } = clause;
  const own = number === undefined ? null : findPeriod(text, number, periods, numbers);
  const said =
    own ?? (periods.length === 1 ? periods[0]!.period : (periods.find(({ start }) => start < 30)?.period ?? null));
  if (said !== null) return said;
  if (periods.length > 1) return undefined;
  const after = findPeriodAfter(bases);
  if (after !== null) return after;
  return period ?? (mayBeLatest ? null : undefined);
}

/** The value that a series has when the clause speaks of. */
export function findNumber(scope: NumberScope, series: Series, number?: ScannedNumber): Fact | null {
  const now = findNow(scope, number);
  return now === undefined ? null : findFact(series, now);
}

/**
 * What a value is held against: the period that is named; else the one before and, of a part of a year, a year before.
 */
export function findBases({ clause, period }: NumberScope, series: Series, now: Fact): Fact[] {
  const own = now.number.period;
  const since = /\bsince\s+(?:the\s+)?$/i;
  const named =
    clause.bases.findLast((base) => base.period !== own)?.period ??
    clause.periods.find((one) => since.test(clause.text.slice(0, one.start)))?.period;
  const before = (said: string | null): Fact[] => {
    const fact = findFactBefore(series, now, said);
    return fact === null || fact === now ? [] : [fact];
  };
  if (named !== undefined) return before(named);
  const said = findComparedPeriod(clause.text, own ?? period);
  if (said !== null) return before(said);
  const yearBefore = own === null ? null : findYearBefore(own);
  return [...new Set([...before('previous'), ...(yearBefore === null ? [] : before(yearBefore))])];
}

/** A number as it is stated, with the room that its digits and its words leave. */
export function state(number: ScannedNumber, text: string, like: Expression, sign: 1 | -1 = 1): Expression {
  const percent = number.unit === '%' || number.unit === 'pp';
  const factor = percent ? 1 : number.scale === null ? findScale(number, like) : adoptScale(number, number.scale, like);
  const value = sign * Math.abs(number.value) * factor;
  const loose = isLoose(text.slice(0, number.start)) ? 0.05 * Math.abs(value) : 0;
  return {
    op: 'stated',
    value,
    precision: Math.max(number.precision * factor, loose),
    text: number.text,
    unit: percent ? (number.unit as '%' | 'pp') : 'amount',
  };
}

/** A table without a scale may be in that of the sentence, or a thousandth of it: "$441 million" is 440,915 there. */
function adoptScale(number: ScannedNumber, scale: number, like: Expression): number {
  const model = findModel(like);
  if (model === null || model.number.scaled || model.number.value === 0) return scale;
  const distance = (factor: number): number =>
    Math.abs(Math.log(Math.abs((number.value * factor) / model.number.value) || 1));
  const [nearest] = [1, scale / 1e6, scale / 1e3, scale]
    .filter((factor) => factor >= 1)
    .toSorted((left, right) => distance(left) - distance(right));
  return nearest!;
}

/** Beside a table in thousands, the prose often is in thousands, too, without saying so. */
function findScale(number: ScannedNumber, like: Expression): number {
  const model = findModel(like);
  if (model === null || !model.number.scaled || model.number.shown === 0) return 1;
  const scale = Math.abs(model.number.value / model.number.shown);
  const distance = (factor: number): number =>
    Math.abs(Math.log(Math.abs(number.value * factor) / Math.abs(model.number.value) || 1));
  return distance(scale) < distance(1) ? scale : 1;
}

function findModel(expression: Expression): Fact | null {
  if (expression.op === 'cell') return expression.fact;
  if (expression.op === 'sum' || expression.op === 'average')
    return expression.of[0] ? findModel(expression.of[0]) : null;
  return expression.op === 'difference' ? findModel(expression.left) : null;
}

/** Of more, none is looked at: a register is not read cell by cell. */
const mostPeers = 200;

/** What one name is among: the others of its category, with the same measure. */
export function bindPeers(
  { clause }: NumberScope,
  name: Name,
  others: readonly Name[],
): { name: Name; series: Series }[] {
  const parts = listParts(clause.table, name.category);
  if (parts.length > mostPeers) return [];
  return parts.flatMap((peer) => {
    const found = bindSeries(clause.table, [...others.filter(({ category }) => category !== name.category), peer]);
    const amounts =
      found.length > 1
        ? bindSeries(clause.table, [...others.filter(({ category }) => category !== name.category), peer], 'amount')
        : found;
    return amounts.length === 1 ? [{ name: peer, series: amounts[0]! }] : [];
  });
}
