import { findRole, isAmbiguousMove } from '../statements/find-roles.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { findYearBefore } from '../values/scan-periods.ts';
import { findFact } from './bind-series.ts';
import type { Expression, Proposition } from './expression.ts';
import { listMeasureWords } from '../values/find-measures.ts';
import type { Fact, Series } from './typed-table.ts';
import { marginTops } from './known-words.ts';
import { pattern } from '@agonhq/engine/text';
import { bindOne, cell, findBases, findNow, findNumber, state, type NumberReading, type NumberScope } from './scope.ts';

const bound = pattern('i')`
  \b(?:(?<more>exceed(?:s|ed|ing)?|above|over|more than|at least|no less than|not less than|surpass(?:es|ed)?
  |topp?(?:ed|s)|beyond|in excess of|greater than|higher than|passed|crossed|upwards of|a minimum of)
  |(?<less>below|under|less than|at most|no more than|not more than|fewer than|lower than|up to|short of
  |a maximum of|not exceed|beneath))\s+(?:the\s+)?(?:mark of\s+|threshold of\s+|level of\s+)?$`;

/** Numbers that a clause states of what it speaks of: what it comes to, by how much it changed, more or less than. */
export function readNumbersSaid(scope: NumberScope, taken: readonly { start: number }[]): NumberReading[] {
  const { clause } = scope;
  const { text, mentions } = clause;
  const left = clause.numbers.filter(({ start }) => !taken.some((number) => number.start === start));
  return left.flatMap((number): NumberReading[] => {
    const before = text.slice(0, number.start);
    const limit = bound.exec(before);
    const role = findRole(before, text.slice(number.end), number);
    const at = { start: number.start, end: number.end, numbers: [number] };
    if (limit !== null && role?.role !== 'change' && role?.role !== 'share')
      return readThreshold(scope, number, limit.groups!['more'] !== undefined).map((alternatives) => ({
        kind: 'threshold' as const,
        ...at,
        alternatives,
      }));
    if (role === null || role.role === 'share' || role.role === 'direction') return [];
    if (role.role === 'change') {
      const alternatives = readChange(scope, number, role.direction);
      return alternatives.length === 0 ? [] : [{ kind: 'change', ...at, alternatives }];
    }
    const margins = number.unit === '%' ? readMargin(scope, number, role.previous === true) : null;
    if (margins !== null) return margins;
    const series = bindOne(scope, mentions, number.unit === '%' ? 'rate' : 'amount');
    if (series === null) return [];
    const now = findNow(scope, number);
    const own = role.previous ? findPreviousFact(scope, number) : findNumber(scope, series, number);
    if (own === null || now === undefined) return [];
    if (!isSameCurrency(number, own)) return [{ kind: 'level', ...at, alternatives: [denyCurrency(number, own)] }];
    const proposition: Proposition = {
      op: '=',
      left: cell(own),
      right: state(number, text, cell(own), own.number.value < 0 ? -1 : 1),
    };
    return [{ kind: 'level', ...at, alternatives: [proposition] }];
  });
}

const money = /^[A-Z]{3}$/;

function isSameCurrency({ unit }: ScannedNumber, { number }: Fact): boolean {
  return unit === null || number.unit === null || !money.test(unit) || !money.test(number.unit) || unit === number.unit;
}

/** The same digits in another currency are another amount. */
function denyCurrency(number: ScannedNumber, fact: Fact): Proposition {
  const stated = state(number, '', cell(fact));
  return { op: '=', left: cell(fact), right: { ...stated, value: Number.MAX_VALUE, precision: 0 } as Expression };
}

/** A margin that no table states, from the profit and the revenue that one does. */
function readMargin(scope: NumberScope, number: ScannedNumber, isPrevious: boolean): NumberReading[] | null {
  const { clause } = scope;
  const said = listMeasureWords(clause.text).find((word) => marginTops.has(word));
  if (said === undefined || clause.mentions.some(({ name }) => name.words.includes(said))) return null;
  const find = (words: readonly string[]): Series | null => {
    const names = clause.table.names.filter((name) => name.words.length === 1 && words.includes(name.words[0]!));
    return names.length === 1
      ? bindOne(scope, [{ name: names[0]!, start: -1, end: -1, isWhole: true }], 'amount')
      : null;
  };
  const [top, bottom] = [find(marginTops.get(said)!), find(['revenue', 'revenu'])];
  if (top === null || bottom === null) return [];
  const latest = findNumber(scope, top, number);
  const own = latest === null || !isPrevious ? latest : (findBases(scope, top, latest)[0] ?? null);
  const whole = own === null ? null : findFact(bottom, own.number.period);
  if (own === null || whole === null) return [];
  const ratio: Expression = { op: 'ratio', left: cell(own), right: cell(whole) };
  const right = state(number, clause.text, ratio, own.number.value < 0 ? -1 : 1);
  return [
    {
      kind: 'level',
      start: number.start,
      end: number.end,
      numbers: [number],
      alternatives: [{ op: '=', left: ratio, right }],
    },
  ];
}

/** "Compared with 420 a year earlier": the value that something is held against. */
function findPreviousFact(scope: NumberScope, number: ScannedNumber) {
  const { clause } = scope;
  const series = bindOne(scope, clause.mentions, number.unit === '%' ? 'rate' : 'amount');
  if (series === null) return null;
  const named = [...clause.bases, ...clause.periods].find(
    ({ start }) =>
      start >= number.end && !clause.numbers.some((other) => other.start > number.start && other.start < start),
  );
  if (named !== undefined) return findFact(series, named.period);
  const now = findNumber(scope, series);
  if (now === null) return null;
  const yearBefore = now.number.period === null ? null : findYearBefore(now.number.period);
  if (
    /\ba year (?:earlier|ago|before)\b|\b(?:previous|prior|last|preceding) year\b/i.test(clause.text) &&
    yearBefore !== null
  )
    return findFact(series, yearBefore);
  const bases = findBases(scope, series, now);
  return bases.length === 1 ? bases[0]! : null;
}

function readThreshold(scope: NumberScope, number: ScannedNumber, more: boolean): Proposition[][] {
  const { clause } = scope;
  const series = bindOne(scope, clause.mentions, number.unit === '%' ? 'rate' : 'amount');
  const own = series === null ? null : findNumber(scope, series, number);
  if (own === null) return [];
  const exact = /\b(?:at least|no less than|at most|no more than|up to|minimum|maximum)\b/i.test(
    clause.text.slice(Math.max(0, number.start - 24), number.start),
  )
    ? more
      ? '≥'
      : '≤'
    : more
      ? '>'
      : '<';
  const stated = state({ ...number, precision: 0 }, '', cell(own), own.number.value < 0 ? -1 : 1);
  return [[{ op: exact, left: cell(own), right: stated }]];
}

function readChange(scope: NumberScope, number: ScannedNumber, direction: 1 | -1 | 0 | null): Proposition[] {
  const { clause } = scope;
  const wanted = number.unit === 'pp' ? 'rate' : 'any';
  const series = bindOne(scope, clause.mentions, wanted);
  const own = series === null ? null : findNumber(scope, series);
  if (series === null || own === null) return [];
  return findBases(scope, series, own).flatMap((base): Proposition[] => {
    const [left, right] = [cell(own), cell(base)];
    const rate = own.number.unit === '%';
    const isGrowth = number.unit === '%' && !rate;
    const computed = { op: isGrowth ? ('growth' as const) : ('difference' as const), left, right };
    const gap = own.number.value - base.number.value;
    const sign = direction === 1 || direction === -1 ? direction : gap < 0 ? -1 : 1;
    const stated = state(number, clause.text, computed, sign);
    const signed: Proposition = { op: '=', left: computed, right: stated };
    // Of a line that is a change itself, that change may be meant.
    const isChange = !isGrowth && /\b(?:changes?|increases?|decreases?)\b/i.test(`${own.row.group} ${own.row.label}`);
    const itself: Proposition[] = isChange
      ? [1, -1].map((way) => ({ op: '=', left, right: state(number, clause.text, left, way as 1 | -1) }))
      : [];
    // "Cash used increased": of what is shown as an outflow, more may be meant by less.
    const isOutflow = !isGrowth && own.number.value < 0 && base.number.value < 0;
    return isOutflow
      ? [signed, { op: '=', left: { op: 'difference', left: right, right: left }, right: stated }, ...itself]
      : [signed, ...itself];
  });
}

/** "Doubled", "halved": a change in words. */
export function readMultiples(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  return clause.worded
    .filter(({ said }) => said.role === 'change')
    .flatMap((number): NumberReading[] => {
      const series = bindOne(scope, clause.mentions);
      const own = series === null ? null : findNumber(scope, series);
      if (series === null || own === null) return [];
      const alternatives = findBases(scope, series, own).map((base): Proposition => {
        const right: Expression = {
          op: 'stated',
          value: number.value,
          precision: number.precision,
          text: number.text,
          unit: '%',
        };
        return { op: '=', left: { op: 'growth', left: cell(own), right: cell(base) }, right };
      });
      return alternatives.length === 0
        ? []
        : [{ kind: 'change', start: number.start, end: number.end, numbers: [number], alternatives }];
    });
}

/** Verbs of movement without a number. */
export function readDirections(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  const moves = clause.moves.filter(({ text }) => !/^(?:record|growth|higher|lower|up|down|lost)$/i.test(text));
  const [move] = moves;
  // The margin of a table that has none is no line of it.
  const margin = listMeasureWords(clause.text).find((word) => marginTops.has(word));
  if (margin !== undefined && !clause.mentions.some(({ name }) => name.words.includes(margin))) return [];
  if (move === undefined || new Set(moves.map(({ direction }) => direction)).size > 1) return [];
  const series = bindOne(scope, clause.mentions);
  const own = series === null ? null : findNumber(scope, series);
  if (series === null || own === null || isAmbiguousMove(move.text, series.key.toLowerCase())) return [];
  const alternatives = findBases(scope, series, own).map((base): Proposition => {
    if (move.direction === 0) {
      const computed = { op: 'growth' as const, left: cell(own), right: cell(base) };
      return {
        op: '=',
        left: computed,
        right: { op: 'stated', value: 0, precision: 0.015, text: 'unchanged', unit: '%' },
      };
    }
    return { op: move.direction === 1 ? '>' : '<', left: cell(own), right: cell(base) };
  });
  return alternatives.length === 0
    ? []
    : [{ kind: 'direction', start: move.start, end: move.end, alternatives, numbers: [] }];
}
