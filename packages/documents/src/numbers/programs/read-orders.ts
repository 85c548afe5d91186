import { pattern } from '@agonhq/engine/text';
import { findFact, listParts, namesOf, narrowSeries } from './bind-series.ts';
import type { Expression, Proposition } from './expression.ts';
import { findOrders, type Order } from './find-orders.ts';
import type { Mention } from './read-clause.ts';
import {
  bindOne,
  bindPeers,
  cell,
  findBases,
  findNow,
  findNumber,
  type NumberReading,
  type NumberScope,
} from './scope.ts';
import type { Fact, Series } from './typed-table.ts';

/**
 * "The second-largest", "ranked third", "peaked in Q3": which place something takes among others, or among its times.
 */
export function readOrders(scope: NumberScope): NumberReading[] {
  return findOrders(scope.clause.text).flatMap((order): NumberReading[] => {
    const [peaks, ranks] = [readPeak(scope, order), readRank(scope, order)];
    const at = { start: order.start, end: order.end, numbers: [] };
    if (order.word === 'peak') return peaks.length === 0 ? [] : [{ kind: 'peak', ...at, alternatives: peaks }];
    // What leads among others is asked of one time, what leads among times of one thing.
    const { text } = scope.clause;
    const alternatives = isOfTimes(text, order)
      ? peaks
      : isPlace.test(order.word)
        ? ranks
        : ranks.length > 0 && (saysOfOthers.test(text) || hasOrder.test(text.slice(0, order.start)))
          ? ranks
          : [...peaks, ...ranks];
    return alternatives.length === 0
      ? []
      : [{ kind: alternatives[0] === peaks[0] ? 'peak' : 'rank', ...at, alternatives }];
  });
}

/** Said of others alone, and never of times. */
const isPlace = /^(?:lead|first|second|third|fourth|fifth|last)$/;
const saysOfOthers = pattern('iu')`
  \b(?:of all|among|all other|any other|of the (?:\p{L}+|\d+) \p{L}+s|ranked|second|third|fourth|fifth|\p{L}+ed by
  |went to|belonged? to|(?:were|was) (?:those|that) of)\b`;
const hasOrder =
  /\b(?:had|has|have|recorded|posted|reported|showed|was|is|were|are|with|remained|became)\s+(?:by far\s+)?(?:the\s+)?(?:\p{L}+\s+with\s+the\s+)?$/iu;
const ownOrder = /\b(?:its|their|(?:was|were|is|are)(?: at (?:its|their))?)\s+(?:very\s+|all-time\s+)?$/i;

/** "Were highest in Q3", "its best year": among the times of one thing. */
function isOfTimes(text: string, { start, end }: Order): boolean {
  if (/^\s+(?:\p{Ll}+\s+)?(?:year|quarter|month|half|period|week)\b(?!\s+of\b)/u.test(text.slice(end))) return true;
  return (
    ownOrder.test(text.slice(0, start)) &&
    (/(?:its|their)\s+$/i.test(text.slice(0, start)) || /^\s+(?:in|during|at|for)\b/i.test(text.slice(end)))
  );
}

function readPeak(scope: NumberScope, { place, from, change }: Order): Proposition[] {
  const { clause } = scope;
  const [period, ...more] = clause.periods;
  if (period === undefined || more.length > 0 || change !== 0) return [];
  const series = bindOne(scope, clause.mentions);
  const own = series === null ? null : findFact(series, period.period);
  if (series === null || own === null || own.number.period === null) return [];
  const kind = own.number.period.replace(/\d+/g, '#');
  const year = scope.period !== null && !own.number.period.startsWith('FY') ? scope.period : null;
  const among = narrowSeries(series, { ...clause, periods: [], bases: [] }, year).filter(
    ({ number }) => number.period?.replace(/\d+/g, '#') === kind,
  );
  return among.length < 3 || !among.includes(own) ? [] : [rankOf(cell(own), among.map(cell), from, place)];
}

function rankOf(of: Expression, among: readonly Expression[], from: Order['from'], place: number): Proposition {
  return {
    op: '=',
    left: { op: 'rank', of, among, from },
    right: { op: 'stated', value: place, precision: 0, text: `place ${place} from the ${from}`, unit: 'count' },
  };
}

/** The subject is the first name whose category has others. */
function readRank(scope: NumberScope, { place, from, change }: Order): Proposition[] {
  const { clause } = scope;
  const { table, mentions } = clause;
  const subjects = mentions.filter(
    ({ name }) =>
      !name.total && listParts(table, name.category).includes(name) && listParts(table, name.category).length > 1,
  );
  const others = namesOf(mentions);
  const found = subjects.flatMap(({ name }): Proposition[] => {
    const peers = bindPeers(scope, name, others);
    const values = peers.flatMap(({ name: peer, series }) => {
      const value = measureOf(scope, series, change);
      return value === null ? [] : [{ peer, value }];
    });
    const own = values.find(({ peer }) => peer === name);
    const units = new Set(peers.map(({ series }) => series.facts[0]!.number.unit));
    if (own === undefined || values.length < 2 || values.length < peers.length || units.size > 1) return [];
    const order = change === -1 ? (from === 'highest' ? 'lowest' : 'highest') : from;
    return [
      rankOf(
        own.value,
        values.map(({ value }) => value),
        order,
        place,
      ),
    ];
  });
  return found.slice(0, 1);
}

function measureOf(scope: NumberScope, series: Series, change: number): Expression | null {
  const now = findNumber(scope, series);
  if (now === null) return null;
  if (change === 0) return cell(now);
  const bases = findBases(scope, series, now);
  return bases.length === 0 ? null : { op: 'growth', left: cell(now), right: cell(bases[0]!) };
}

const comparing = pattern('gi')`
  \b(?:(?<more>more|higher|larger|bigger|greater|better|stronger|longer|faster|quicker|heavier|busier|steeper|older
  |costlier|above)|(?<less>less|lower|smaller|fewer|weaker|worse|shorter|slower|lighter|below|younger|cheaper))\b
  (?<between>[^.;]*?)\bthan\b|\b(?<over>exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|overtook|overtakes|outsold|beat|beats
  |above(?=\s+(?:that|those)\s+(?:in|of|at|for)\b)|topp?ed|outnumber(?:s|ed)|was ahead of|were ahead of|ahead of|outweigh(?:s|ed)?)\b
  |\b(?<under>below(?=\s+(?:that|those)\s+(?:in|of|at|for)\b)|trail(?:s|ed)|lagg?ed(?: behind)?|was behind|were behind|fell short of|fell behind|falls short of)\b
  |\b(?<outgrew>outpaced|outgrew|outperformed|outstripped)\b`;

/** "More than": two things of one time, or one thing at two times. */
export function readComparisons(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  return [...clause.text.matchAll(comparing)].slice(0, 1).flatMap(({ 0: match, index, groups }): NumberReading[] => {
    const end = index + match.length;
    const near = clause.numbers.find(
      (number) =>
        /^[^.;]{0,60}\bby\s+(?:about\s+)?$/iu.test(clause.text.slice(end, number.start)) ||
        /^\s+(?:\p{L}+\s+){0,2}$/u.test(clause.text.slice(number.end, index)),
    );
    const more = groups!['more'] !== undefined || groups!['over'] !== undefined || groups!['outgrew'] !== undefined;
    const pace =
      groups!['outgrew'] !== undefined ||
      /faster|quicker|slower|steeper/i.test(match) ||
      (/more|less|stronger/i.test(match) &&
        clause.moves.some(({ start, text }) => start < index && !/higher|lower/i.test(text)));
    // "Exceeded 5 million" holds nothing against another.
    if (/^\s+(?:the\s+)?(?:mark of\s+)?[$€£¥]?\d/.test(clause.text.slice(end))) return [];
    // "Than in any other" names no other.
    if (/^\s+(?:\p{Ll}+\s+){0,2}(?:any|all|every)\b/u.test(clause.text.slice(end))) return [];
    const sides = splitSides(scope, end);
    if (sides === null) return [];
    const [left, right] = sides.map(({ mentions, period }) => {
      const series = bindOne(scope, mentions);
      const fact = series === null ? null : findFact(series, period);
      if (series === null || fact === null) return null;
      if (!pace) return { fact, value: cell(fact) };
      const [base] = findBases(scope, series, fact);
      return base === undefined
        ? null
        : { fact, value: { op: 'growth' as const, left: cell(fact), right: cell(base) } };
    });
    if (!left || !right || left.fact === right.fact) return [];
    const isFall = pace && /\b(?:fell|declined|dropped|decreased|shrank)\b/i.test(clause.text);
    const up = more !== isFall;
    const at = { start: index, end };
    if (near !== undefined && !pace) return readDifference(scope, left, right, more, near, at);
    return [
      {
        kind: 'comparison',
        ...at,
        numbers: [],
        alternatives: [{ op: up ? '>' : '<', left: left.value, right: right.value }],
      },
    ];
  });
}

type Bound = { fact: Fact; value: Expression };

function readDifference(
  { clause }: NumberScope,
  left: Bound,
  right: Bound,
  more: boolean,
  number: NumberScope['clause']['numbers'][number],
  at: { start: number; end: number },
): NumberReading[] {
  const percent = number.unit === '%';
  const after = number.start > at.end;
  // "Exceeded 5 million" is a bound, "exceeded costs by 5 million" a difference.
  if (after && !/\bby\s*(?:about\s+|some\s+)?$/i.test(clause.text.slice(0, number.start))) return [];
  const rates = left.fact.number.unit === '%';
  const computed: Expression = {
    op: percent && !rates ? 'growth' : 'difference',
    left: left.value,
    right: right.value,
  };
  const factor =
    percent || number.unit === 'pp' ? 1 : (number.scale ?? left.fact.number.value / (left.fact.number.shown || 1));
  const stated: Expression = {
    op: 'stated',
    value: (more ? 1 : -1) * number.value * factor,
    precision: number.precision * factor,
    text: `${more ? '' : '−'}${number.text}`,
    unit: percent ? '%' : number.unit === 'pp' ? 'pp' : 'amount',
  };
  return [{ kind: 'difference', ...at, numbers: [number], alternatives: [{ op: '=', left: computed, right: stated }] }];
}

/** What stands before and behind the words that compare; what one side leaves out is that of the other. */
export function splitSides(
  scope: NumberScope,
  end: number,
): [{ mentions: Mention[]; period: string | null }, { mentions: Mention[]; period: string | null }] | null {
  const { clause } = scope;
  const right = clause.mentions.filter(({ start }) => start >= end);
  const left = clause.mentions.filter(({ start }) => start < end);
  const all = [...clause.periods, ...clause.bases];
  const rightPeriod = all.find(({ start }) => start >= end);
  const leftPeriod = all.find(({ start }) => start < end);
  const contrasts = right.filter(({ name }) =>
    left.some((other) => other.name.category === name.category && other.name !== name),
  );
  const now = findNow({
    ...scope,
    clause: {
      ...clause,
      periods: leftPeriod ? [leftPeriod] : contrasts.length > 0 && rightPeriod ? [rightPeriod] : [],
      bases: [],
    },
  });
  if (now === undefined) return null;
  const fill = (own: readonly Mention[], other: readonly Mention[]): Mention[] => [
    ...own,
    ...other.filter(({ name }) => !own.some((mine) => mine.name.category === name.category)),
  ];
  if (contrasts.length > 0)
    return [
      { mentions: fill(left, right), period: now },
      { mentions: fill(right, left), period: rightPeriod?.period ?? now },
    ];
  if (rightPeriod === undefined || left.length === 0) return null;
  return [
    { mentions: left, period: leftPeriod?.period ?? now },
    { mentions: fill(right, left), period: rightPeriod.period },
  ];
}
