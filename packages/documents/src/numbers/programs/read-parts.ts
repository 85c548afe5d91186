import { pattern } from '@agonhq/engine/text';
import { findRole } from '../statements/find-roles.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { bindOne, cell, findNumber, state, type NumberReading, type NumberScope } from './scope.ts';
import type { Expression, Proposition } from './expression.ts';
import type { Mention } from './read-clause.ts';
import { splitSides } from './read-orders.ts';
import { findWhole } from './read-sets.ts';
import { findFact, namesOf, preferSpecific } from './bind-series.ts';

/** "61 % of sales", "a third of all staff", "more than half": a part against its whole. */
export function readShares(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  const { text } = clause;
  const stated = clause.numbers.filter(
    (number) =>
      number.unit === '%' &&
      (findRole(text.slice(0, number.start), text.slice(number.end), number)?.role === 'share' ||
        /^\s+(?:share )?of (?:the |all |total |overall )/i.test(text.slice(number.end))),
  );
  const parts = clause.worded.filter(({ said }) => said.role === 'share');
  return [...stated, ...parts].slice(0, 1).flatMap((number): NumberReading[] => {
    const alternatives = readShare(scope, number, number.end);
    return alternatives.length === 0
      ? []
      : [{ kind: 'share', start: number.start, end: number.end, numbers: [number], alternatives }];
  });
}

/** "The majority of visits": more than half. */
const most = /\b(?:the (?:vast )?majority of|most of(?: the| all)?|more than half(?: of)?|over half(?: of)?)\s/i;

export function readMajorities(scope: NumberScope): NumberReading[] {
  const found = most.exec(scope.clause.text);
  if (found === null) return [];
  const [start, end] = [found.index, found.index + found[0].trimEnd().length];
  const computed = findShare(scope, end);
  if (computed === null) return [];
  const half: Expression = { op: 'stated', value: 0.5, precision: 0, text: 'more than half', unit: '%' };
  const numbers = scope.clause.worded.filter((one) => one.start < end && one.end > start);
  return [{ kind: 'share', start, end, numbers, alternatives: [{ op: '>', left: computed, right: half }] }];
}

function readShare(scope: NumberScope, number: ScannedNumber, end: number): Proposition[] {
  const computed = findShare(scope, end);
  if (computed === null) return [];
  const worded = 'said' in number;
  const right: Expression = worded
    ? { op: 'stated', value: number.value, precision: number.precision, text: number.text, unit: '%' }
    : state(number, scope.clause.text, computed);
  return [{ op: '=', left: computed, right }];
}

/** What is named right behind "of" is the whole, the rest the part. */
function findShare(scope: NumberScope, end: number): Expression | null {
  const { clause } = scope;
  const behind = clause.text.slice(end);
  const reach =
    end +
    (/^[^,;]*?(?=\b(?:came|comes|was|were|is|are|stems?|stemmed|went|goes|fell on|falls on|in|by|from)\b|[,;.]|$)/i.exec(
      behind,
    )?.[0].length ?? 0);
  const whole = clause.mentions.filter((mention) => mention.start >= end && mention.start < reach);
  const part = clause.mentions.filter((mention) => !whole.includes(mention));
  const own = [...part, ...whole.filter(({ name }) => !part.some((other) => other.name.category === name.category))];
  const series = bindOne(scope, part.length === 0 ? clause.mentions : own, 'amount');
  const fact = series === null ? null : findNumber(scope, series);
  if (fact === null) return null;
  const against = whole.filter(({ name }) =>
    part.some((other) => other.name.category === name.category && other.name !== name),
  );
  const specific = preferSpecific(namesOf(against), clause.table).filter(({ total }) => !total);
  if (specific.length > 0) {
    const other = bindOne(
      scope,
      [...whole, ...part.filter(({ name }) => !whole.some((one) => one.name.category === name.category))],
      'amount',
    );
    const value = other === null ? null : findFact(other, fact.number.period);
    return value === null || value === fact ? null : { op: 'ratio', left: cell(fact), right: cell(value) };
  }
  const total = findWhole(scope, fact);
  return total === null ? null : { op: 'ratio', left: cell(fact), right: total };
}

const multiple = pattern('giu')`
  \b(?:(?<room>more than|over|nearly|almost|about|around|roughly|less than|just under|just over)\s+)?
  (?:(?<word>twice|double|triple|three times|four times|five times|half)|(?<number>\d+(?:\.\d+)?)(?:\s+times|x|-fold))
  (?=\s+(?:as\s+\p{L}+|the|that|those|what|higher|larger|its|of)\b)`;
const words: Record<string, number> = {
  twice: 2,
  double: 2,
  triple: 3,
  'three times': 3,
  'four times': 4,
  'five times': 5,
  half: 0.5,
};
const ratioOf = /\bratio (?:of|between)\b(?<names>[^.;]*?)\b(?:was|is|stood at|came to|of|amounted to|reached)\b/i;

/** "2.5 times that of", "twice as many as", "the ratio of A to B": one value over another. */
export function readRatios(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  const named = ratioOf.exec(clause.text);
  if (named !== null) return readNamedRatio(scope, named);
  for (const { 0: match, index, groups } of clause.text.matchAll(multiple)) {
    const value = groups!['number'] === undefined ? words[groups!['word']!.toLowerCase()]! : Number(groups!['number']);
    const sides = splitSides(scope, index + match.length);
    if (sides === null) return [];
    const [left, right] = sides.map(({ mentions, period }) => {
      const series = bindOne(scope, mentions);
      return series && findFact(series, period);
    });
    if (!left || !right || left === right) return [];
    const room = groups!['room']?.toLowerCase();
    const decimals = groups!['number']?.split('.')[1]?.length ?? 0;
    const precision = groups!['number'] === undefined ? 0.06 * value : 0.5 * 10 ** -decimals;
    const ratio: Expression = { op: 'ratio', left: cell(left), right: cell(right) };
    const op =
      room === undefined ? '=' : /more|over/.test(room) ? '>' : /less|under|nearly|almost/.test(room) ? '<' : '=';
    const stated: Expression = {
      op: 'stated',
      value,
      precision: op === '=' ? precision : 0,
      text: match,
      unit: 'count',
    };
    const numbers = [
      { start: index },
      ...clause.numbers.filter(({ start, end }) => start >= index && end <= index + match.length),
    ];
    return [
      {
        kind: 'ratio',
        start: index,
        end: index + match.length,
        numbers,
        alternatives: [{ op, left: ratio, right: stated }],
      },
    ];
  }
  return [];
}

function readNamedRatio(scope: NumberScope, found: RegExpExecArray): NumberReading[] {
  const { clause } = scope;
  const end = found.index + found[0].length;
  const inside = clause.mentions.filter((mention: Mention) => mention.start >= found.index && mention.end <= end);
  const [first, second] = inside;
  const number = clause.numbers.find(({ start }) => start >= end);
  if (first === undefined || second === undefined || number === undefined) return [];
  const rest = clause.mentions.filter((mention) => !inside.includes(mention));
  const [left, right] = [first, second].map((mention) => {
    const series = bindOne(scope, [mention, ...rest], 'amount');
    return series && findNumber(scope, series);
  });
  if (!left || !right) return [];
  const ratio: Expression = { op: 'ratio', left: cell(left), right: cell(right) };
  return [
    {
      kind: 'ratio',
      start: number.start,
      end: number.end,
      numbers: [number],
      alternatives: [{ op: '=', left: ratio, right: state(number, clause.text, ratio) }],
    },
  ];
}

const gapBetween = pattern('iu')`
  \b(?:difference|gap|distance|spread|margin)(?: in [\p{L} ]+?)? between\b(?<names>[^.;]*?)\b(?:was|is|stood at|came to|of|amounted to
  |reached|widened to|narrowed to)\b`;

/** "The gap between A and B was 40". */
export function readGaps(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  const found = gapBetween.exec(clause.text);
  if (found === null) return [];
  const end = found.index + found[0].length;
  const number = clause.numbers.find(({ start }) => start >= end);
  const inside = clause.mentions.filter((mention) => mention.start >= found.index && mention.end <= end);
  const [first] = inside;
  const second = inside.find(({ name }) => name.category === first?.name.category && name !== first.name);
  if (first === undefined || second === undefined || number === undefined) return [];
  const rest = clause.mentions.filter(
    (mention) => mention !== first && mention !== second && mention.name.category !== first.name.category,
  );
  const [left, right] = [first, second].map((mention) => {
    const series = bindOne(scope, [mention, ...rest]);
    return series && findNumber(scope, series);
  });
  if (!left || !right) return [];
  const ordered = left.number.value >= right.number.value ? [left, right] : [right, left];
  const computed: Expression = { op: 'difference', left: cell(ordered[0]!), right: cell(ordered[1]!) };
  return [
    {
      kind: 'difference',
      start: number.start,
      end: number.end,
      numbers: [number],
      alternatives: [{ op: '=', left: computed, right: state(number, clause.text, computed) }],
    },
  ];
}
