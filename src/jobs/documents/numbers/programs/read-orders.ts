import { pattern } from '../../../../text/index.ts';
import { findFact, listParts, namesOf, narrowSeries } from './bind-series.ts';
import type { Expression, Proposition } from './expression.ts';
import type { Mention } from './read-clause.ts';
import { bindOne, bindPeers, cell, findBases, findNow, findValue, type Reading, type Scope } from './scope.ts';
import type { Fact, Series } from './typed-table.ts';

const superlative = pattern('gi')`
  \b(?:(?<ordinal>second|third|fourth|fifth|2nd|3rd|4th|5th|next)[ -])?(?:(?<high>highest|largest|biggest|greatest|most
  |strongest|best|top|longest|busiest|fastest|heaviest|steepest|maximum|peak|leading|sharpest|costliest|richest|oldest
  |quickest)|(?<low>lowest|smallest|fewest|least|weakest|worst|shortest|quietest|slowest|minimum|trough|lightest
  |poorest|cheapest|youngest))(?:[ -](?<kind>growing|rising|falling|growth|selling|earning|spending))?\b`;

const placed = pattern('gi')`
  \b(?:ranked|came|finished|placed|was|is|stood|in|took|takes|holds|held|occupied|occupies)\s+(?:in\s+|the\s+|on\s+)*
  (?<ordinal>first|second|third|fourth|fifth|last)(?:\s+(?:place|position|spot|rank)\b|\s+(?:in|by|for|among|on|with)\b
  |(?=[.,;]|\s*$))`;

const peaked = pattern('gi')`
  \b(?:(?<high>peaked|(?:reached|hit|saw|recorded|marked|touched|set) (?:its|their|a|an all-time|the) (?:peak|high
  |maximum|high point|record|record high))|(?<low>bottomed(?: out)?|(?:reached|hit|saw|recorded|marked|touched
  |set) (?:its|their|a|an all-time|the) (?:low|trough|minimum|low point|bottom|record low)))\b`;

const places: Record<string, number> = {
  first: 1,
  second: 2,
  '2nd': 2,
  next: 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  fifth: 5,
  '5th': 5,
};

interface Order {
  start: number;
  end: number;
  place: number;
  from: 'highest' | 'lowest';
  /** Of changes, and not of values. */
  change: 1 | -1 | 0;
  word: string;
}

/**
 * "The second-largest", "ranked third", "peaked in Q3": which place something takes among others, or among its times.
 */
export function readOrders(scope: Scope): Reading[] {
  return findOrders(scope.clause.text).flatMap((order): Reading[] => {
    const [peaks, ranks] = [readPeak(scope, order), readRank(scope, order)];
    const at = { start: order.start, end: order.end, numbers: [] };
    if (order.word === 'peak') return peaks.length === 0 ? [] : [{ kind: 'peak', ...at, alternatives: peaks }];
    // What leads among others is asked of one time, what leads among times of one thing.
    const { text } = scope.clause;
    const alternatives = isOfTimes(text, order)
      ? peaks
      : ranks.length > 0 && (saysOfOthers.test(text) || hasOrder.test(text.slice(0, order.start)))
        ? ranks
        : [...peaks, ...ranks];
    return alternatives.length === 0
      ? []
      : [{ kind: alternatives[0] === peaks[0] ? 'peak' : 'rank', ...at, alternatives }];
  });
}

const saysOfOthers = pattern('iu')`
  \b(?:of all|among|all other|any other|of the (?:\p{L}+|\d+) \p{L}+s|ranked|second|third|fourth|fifth|\p{L}+ed by
  |went to|belonged? to)\b`;
const hasOrder =
  /\b(?:had|has|have|recorded|posted|reported|showed|was|is|were|are|with|remained|became)\s+(?:by far\s+)?(?:the\s+)?(?:\p{L}+\s+with\s+the\s+)?$/iu;
const ownOrder = /\b(?:its|their|(?:was|were|is|are)(?: at (?:its|their))?)\s+(?:very\s+|all-time\s+)?$/i;

/** "Were highest in Q3", "its best year": among the times of one thing. */
function isOfTimes(text: string, { start, end }: Order): boolean {
  return (
    ownOrder.test(text.slice(0, start)) &&
    (/(?:its|their)\s+$/i.test(text.slice(0, start)) || /^\s+(?:in|during|at|for)\b/i.test(text.slice(end)))
  );
}

function findOrders(text: string): Order[] {
  const found: Order[] = [];
  for (const { 0: match, index, groups } of text.matchAll(peaked))
    found.push({
      start: index,
      end: index + match.length,
      place: 1,
      from: groups!['high'] === undefined ? 'lowest' : 'highest',
      change: 0,
      word: 'peak',
    });
  if (found.length > 0) return found;
  for (const { 0: match, index, groups } of text.matchAll(superlative)) {
    if (
      /\bat\s+$/i.test(text.slice(0, index)) ||
      (/^(?:most|least|top|best|peak|leading)$/i.test(match) &&
        /^\s+(?:of|recent|likely|importantly|notably)\b/i.test(text.slice(index + match.length)))
    )
      continue;
    const after = text.slice(index + match.length, index + match.length + 40);
    const grown = /^\s+(?:\p{L}+\s+)?(?:growth|increase|rise|gain|improvement|growth rate)\b/iu.test(after);
    const fallen = /^\s+(?:\p{L}+\s+)?(?:decline|decrease|drop|fall|reduction|loss)\b/iu.test(after);
    const pace =
      /growing|rising|growth/i.test(groups!['kind'] ?? '') ||
      (/fastest|quickest|slowest/i.test(match) && !/selling/i.test(match)) ||
      /\b(?:grew|rose|increased|expanded)\s+(?:the\s+)?$/i.test(text.slice(0, index));
    found.push({
      start: index,
      end: index + match.length,
      place: places[groups!['ordinal']?.toLowerCase() ?? 'first'] ?? 1,
      from: groups!['high'] === undefined ? 'lowest' : 'highest',
      change:
        fallen ||
        /falling/i.test(match) ||
        /\b(?:fell|declined|dropped|decreased)\s+(?:the\s+)?$/i.test(text.slice(0, index))
          ? -1
          : grown || pace
            ? 1
            : 0,
      word: match.toLowerCase(),
    });
  }
  if (found.length > 0) return found.slice(0, 1);
  for (const { 0: match, index, groups } of text.matchAll(placed)) {
    const word = groups!['ordinal']!.toLowerCase();
    if (/^\s*(?:quarter|half|year|month|time)/i.test(text.slice(index + match.length))) continue;
    found.push({
      start: index,
      end: index + match.length,
      place: word === 'last' ? 1 : places[word]!,
      from: word === 'last' ? 'lowest' : 'highest',
      change: 0,
      word,
    });
  }
  return found.slice(0, 1);
}

function readPeak(scope: Scope, { place, from, change }: Order): Proposition[] {
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
function readRank(scope: Scope, { place, from, change }: Order): Proposition[] {
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

function measureOf(scope: Scope, series: Series, change: number): Expression | null {
  const now = findValue(scope, series);
  if (now === null) return null;
  if (change === 0) return cell(now);
  const bases = findBases(scope, series, now);
  return bases.length === 0 ? null : { op: 'growth', left: cell(now), right: cell(bases[0]!) };
}

const comparing = pattern('gi')`
  \b(?:(?<more>more|higher|larger|bigger|greater|better|stronger|longer|faster|quicker|heavier|busier|steeper|older
  |costlier|above)|(?<less>less|lower|smaller|fewer|weaker|worse|shorter|slower|lighter|below|younger|cheaper))\b
  (?<between>[^.;]*?)\bthan\b|\b(?<over>exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|overtook|overtakes|outsold|beat|beats
  |topp?ed|outnumber(?:s|ed)|was ahead of|were ahead of|ahead of|outweigh(?:s|ed)?)\b
  |\b(?<under>trail(?:s|ed)|lagg?ed(?: behind)?|was behind|were behind|fell short of|fell behind|falls short of)\b
  |\b(?<outgrew>outpaced|outgrew|outperformed|outstripped)\b`;

/** "More than": two things of one time, or one thing at two times. */
export function readComparisons(scope: Scope): Reading[] {
  const { clause } = scope;
  return [...clause.text.matchAll(comparing)].slice(0, 1).flatMap(({ 0: match, index, groups }): Reading[] => {
    const end = index + match.length;
    const near = clause.numbers.find(
      (number) =>
        /^[^.;]{0,60}\bby\s+(?:about\s+)?$/iu.test(clause.text.slice(end, number.start)) ||
        /^\s+(?:\p{Ll}+\s+)?$/u.test(clause.text.slice(number.end, index)),
    );
    const more = groups!['more'] !== undefined || groups!['over'] !== undefined || groups!['outgrew'] !== undefined;
    const pace =
      groups!['outgrew'] !== undefined ||
      /faster|quicker|slower|steeper/i.test(match) ||
      (/more|less|stronger/i.test(match) &&
        clause.moves.some(({ start, text }) => start < index && !/higher|lower/i.test(text)));
    // "Exceeded 5 million" holds nothing against another.
    if (/^\s+(?:the\s+)?(?:mark of\s+)?[$€£¥]?\d/.test(clause.text.slice(end))) return [];
    const sides = splitSides(scope, index, end);
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
  { clause }: Scope,
  left: Bound,
  right: Bound,
  more: boolean,
  number: Scope['clause']['numbers'][number],
  at: { start: number; end: number },
): Reading[] {
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
  scope: Scope,
  index: number,
  end: number,
): [{ mentions: Mention[]; period: string | null }, { mentions: Mention[]; period: string | null }] | null {
  const { clause } = scope;
  const right = clause.mentions.filter(({ start }) => start >= end);
  const left = clause.mentions.filter(({ start }) => start < end);
  const all = [...clause.periods, ...clause.bases];
  const rightPeriod = all.find(({ start }) => start >= end);
  const leftPeriod = all.find(({ start }) => start < index);
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
