import { pattern } from '@agonhq/engine/text';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { listParts, namesOf, narrowSeries } from './bind-series.ts';
import type { Expression, Proposition } from './expression.ts';
import {
  bindOne,
  bindPeers,
  cell,
  findBases,
  findNumber,
  state,
  type NumberReading,
  type NumberScope,
} from './scope.ts';
import type { Fact, Series, TypedTable } from './typed-table.ts';

const numberWords: Record<string, number> = Object.fromEntries(
  [
    'zero none no',
    'one first single',
    'two second both',
    'three third',
    'four fourth',
    'five fifth',
    'six sixth',
    'seven seventh',
    'eight eighth',
    'nine ninth',
    'ten tenth',
    'eleven eleventh',
    'twelve twelfth',
  ].flatMap((words, value) => words.split(' ').map((word) => [word, value])),
);

/** A number in digits or in words, an ordinal among them. */
export function readCount(word: string | undefined): number | null {
  if (word === undefined) return null;
  const lower = word.toLowerCase();
  return /^\d+(?:st|nd|rd|th)?$/.test(lower) ? Number.parseInt(lower, 10) : (numberWords[lower] ?? null);
}

const counting = pattern('giu')`
  \b(?<bound>at least|at most|more than|fewer than|less than)?(?:\s*(?<only>only|just|exactly))?\s*\b
  (?<count>all|both|none|neither|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3})\b
  (?:\s+(?:out )?of(?=\s)(?:\s+(?:the|our|its|these|all))?
  (?:\s*(?<whole>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3}))?)?\s*(?<noun>\p{L}+)(?:\s+(?<second>\p{L}+))?\b`;

const timeNoun = /^(?:quarters?|years?|months?|periods?|weeks?)$/i;
const groupNoun = pattern('i')`
  ^(?:regions?|segments?|divisions?|departments?|sites?|units?|categories|category|lines?|products?|countries|country
  |areas?|markets?|branches|branch|plants?|stations?|schools?|wards?|clinics?|locations?|stores?|cities|districts?
  |zones?|channels?|teams?|programmes?|programs?|projects?|faculties|faculty|items?|types?|groups?|hubs?|routes?
  |depots?|facilities|facility|business(?:es)?|them|which)$`;

/** "Three of the five regions grew", "in two quarters sales exceeded 100": how many of a set a thing is true of. */
export function readCounts(scope: NumberScope): NumberReading[] {
  const { clause } = scope;
  const { text, table } = clause;
  // "Of five regions, three grew": the first number is the whole.
  const all = [...text.matchAll(counting)];
  const isOf = /^\s*(?:out )?of\s+(?:the\s+)?$/i.test(text.slice(0, all[0]?.index ?? 0));
  for (const match of isOf ? all.slice(1) : all) {
    const { count, bound, whole } = match.groups as Record<string, string | undefined>;
    const noun =
      [match.groups!['noun'], match.groups!['second']].find(
        (word) => word !== undefined && (timeNoun.test(word) || groupNoun.test(word) || isNounOf(table, word)),
      ) ?? (isOf ? all[0]!.groups!['noun'] : undefined);
    // "The three months ended December 31" is one period.
    if (noun === undefined || /^(?:ended|ending)$/i.test(match.groups!['second'] ?? '')) continue;
    const isTime = timeNoun.test(noun);
    const at = { start: match.index, end: match.index + match[0].length };
    const sets = isTime ? listTimes(scope) : listMembers(scope);
    const predicate = readPredicate(scope, at);
    if (sets === null || sets.length === 0) return [];
    const of = predicate === null ? null : sets.map((one) => predicate.test(one.series, one.fact));
    if (of === null || of.some((one) => one === null)) {
      if (
        predicate !== null ||
        !/\b(?:there (?:are|were)|covers?|compris\w+|lists?|consists? of|operate[sd]?|reports? on)\b/i.test(text)
      )
        return [];
      return [readSize(at, sets.length, readCount(count)!)];
    }
    const wanted = /^all$|^both$/i.test(count!) ? sets.length : readCount(count === 'neither' ? 'none' : count);
    if (wanted === null) continue;
    const stated = (value: number): Expression => ({
      op: 'stated',
      value,
      precision: 0,
      text: String(value),
      unit: 'count',
    });
    const op =
      bound === undefined
        ? '='
        : /at least/i.test(bound)
          ? '≥'
          : /at most/i.test(bound)
            ? '≤'
            : /more/i.test(bound)
              ? '>'
              : '<';
    const said = readCount(whole);
    const members = of as Proposition[];
    const inAll: Proposition[] =
      said === null || isTime
        ? []
        : [
            {
              op: '=',
              left: {
                op: 'stated',
                value: sets.length,
                precision: 0,
                text: `${sets.length} in the table`,
                unit: 'count',
              },
              right: stated(said),
            },
          ];
    const main: Proposition = { op, left: { op: 'count', of: members }, right: stated(wanted) };
    const numbers = clause.numbers.filter(
      (one) => (one.start >= at.start && one.end <= at.end) || predicate!.number === one,
    );
    return [
      {
        kind: 'count',
        ...at,
        numbers,
        alternatives: [inAll.length > 0 ? { op: 'every', of: [main, ...inAll] } : main],
      },
    ];
  }
  return [];
}

function isNounOf({ nouns }: TypedTable, word: string): boolean {
  return [...nouns].some((noun) => noun.length > 3 && word.toLowerCase().startsWith(noun));
}

function readSize(at: { start: number; end: number }, size: number, wanted: number): NumberReading {
  const stated = (value: number, text: string): Expression => ({
    op: 'stated',
    value,
    precision: 0,
    text,
    unit: 'count',
  });
  return {
    kind: 'count',
    ...at,
    numbers: [at],
    alternatives: [{ op: '=', left: stated(size, `${size} in the table`), right: stated(wanted, String(wanted)) }],
  };
}

function listTimes(scope: NumberScope): { series: Series; fact: Fact }[] | null {
  const series = bindOne(scope, scope.clause.mentions);
  return series && narrowSeries(series, scope.clause, scope.period).map((fact) => ({ series, fact }));
}

/** The members of the category that the clause leaves open. */
export function listMembers(scope: NumberScope): { series: Series; fact: Fact }[] | null {
  const { clause } = scope;
  const named = new Set(clause.mentions.map(({ name }) => name.category));
  const open = [...new Set(clause.table.names.map(({ category }) => category))].filter(
    (category) => !named.has(category) && category !== 'group' && listParts(clause.table, category).length > 1,
  );
  const [category] = open.length > 1 ? open.filter((one) => one.startsWith('row:')) : open;
  if (category === undefined) return null;
  const [first] = listParts(clause.table, category);
  const found = bindPeers(scope, first!, namesOf(clause.mentions)).map(({ series }) => ({
    series,
    fact: findNumber(scope, series),
  }));
  return found.some(({ fact }) => fact === null) ? null : (found as { series: Series; fact: Fact }[]);
}

interface Predicate {
  test: (series: Series, fact: Fact) => Proposition | null;
  number?: ScannedNumber;
}

const limit = pattern('i')`
  \b(?:(?<more>exceed(?:s|ed|ing)?|above|over|more than|at least|surpass(?:es|ed)?|topp?ed|greater than|higher than|passed)
  |(?<less>below|under|less than|at most|fewer than|lower than|no more than))\s+(?:the\s+)?(?:mark of )?$`;

function readPredicate(scope: NumberScope, at: { start: number; end: number }): Predicate | null {
  const { clause } = scope;
  for (const number of clause.numbers) {
    if (number.start < at.end && number.end > at.start) continue;
    const found = limit.exec(clause.text.slice(0, number.start));
    if (found === null) continue;
    const inclusive = /at least|at most|no more/i.test(found[0]);
    const more = found.groups!['more'] !== undefined;
    return {
      number,
      test: (_, fact) => ({
        op: more ? (inclusive ? '≥' : '>') : inclusive ? '≤' : '<',
        left: cell(fact),
        right: state({ ...number, precision: 0 }, '', cell(fact)),
      }),
    };
  }
  const move = clause.moves.find(({ text, direction }) => direction !== 0 && !/^(?:record|up|down)$/i.test(text));
  if (move === undefined || clause.numbers.some(({ start, end }) => !(start < at.end && end > at.start))) return null;
  const denied = /\b(?:not|n't|no|without)\s+(?:\w+\s+)?$/i.test(clause.text.slice(0, move.start));
  return {
    test: (series, fact) => {
      const [base] = findBases(scope, series, fact);
      return base === undefined || denied
        ? null
        : { op: move.direction === 1 ? '>' : '<', left: cell(fact), right: cell(base) };
    },
  };
}
