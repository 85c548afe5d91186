import type { Steps } from '../../run-tasks.ts';
import type { SpokenSentence } from '../programs/index.ts';
import { isFiller } from '../programs/index.ts';
import { findMoves, findRole } from '../statements/find-roles.ts';
import { findComparedPeriod, findPeriod, isBasePeriod } from '../statements/find-periods.ts';
import { isForecast, isLoose, scanMeantNumbers } from '../statements/qualify-numbers.ts';
import { splitStatements } from '../statements/split-statements.ts';
import { findNameWords } from '../programs/index.ts';
import { scanPeriods } from '../values/scan-periods.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { draftFinding, isWithin, type Draft } from './draft-finding.ts';
import { readBasis } from '../values/read-basis.ts';
import type { NumberPlace } from '../finding.ts';
import type { ShownValues } from './shown-values.ts';

/** What a clause of the prose states of something: what it comes to, by how much it changed, or which way. */
export interface ProseStatement {
  /** Measure, entity and period in one spelling: statements with one key speak of the same. */
  key: string;
  period: string;
  role: 'level' | 'change' | 'direction';
  direction: 1 | -1 | 0 | null;
  number: ScannedNumber | null;
  value: number;
  precision: number;
  words: number;
  /** What tells it from like statements: "Class A", "financing activities", and whether a verb says so. */
  wording: string;
  /** Its own clause says when; else the period is that of what was said before. */
  isDated: boolean;
  sentence: SpokenSentence;
  /** In the sentence. */
  start: number;
  end: number;
}

/** The statements of a sentence whose period is said. */
export function readProse(sentence: SpokenSentence): ProseStatement[] {
  const { text } = sentence;
  const found: ProseStatement[] = [];
  for (const [from, to] of splitStatements(text)) {
    const clause = text.slice(from, to);
    if (isForecast(clause) || /\b(?:not|never|no|neither|if|respectively)\b|n't\b/i.test(clause)) continue;
    const periods = scanPeriods(clause);
    const named = periods.filter((period) => !isBasePeriod(clause, period));
    const numbers = scanMeantNumbers(clause, '.', periods);
    const subject = findNameWords(clause)
      .filter(
        ({ word, start, end }) =>
          ![...periods, ...numbers].some((other) => start < other.end && end > other.start) &&
          !isFiller(clause.slice(start, end), word),
      )
      .map(({ word }) => word);
    if (subject.length === 0 || subject.length > 6) continue;
    const key = (period: string, base: string, kind: string): string =>
      [[...new Set(subject)].toSorted().join(' '), `${period}>${base}`, kind].join('|');
    const add = (
      one: Pick<ProseStatement, 'role' | 'direction' | 'number' | 'start' | 'end'>,
      period: string,
      base: string,
      kind: string,
    ): void => {
      const factor =
        one.number === null || one.number.unit === '%' || one.number.unit === 'pp' ? 1 : (one.number.scale ?? 1);
      found.push({
        ...one,
        key: key(period, base, kind),
        period,
        value: (one.number?.value ?? 0) * factor,
        precision: (one.number?.precision ?? 0) * factor,
        words: new Set(subject).size,
        wording: findWording(clause),
        isDated: named.length > 0,
        sentence,
        start: from + one.start,
        end: from + one.end,
      });
    };
    for (const number of numbers) {
      const before = clause.slice(0, number.start);
      const role = findRole(before, clause.slice(number.end), number);
      if (isLabel(number) || role === null || role.previous || role.role === 'share' || isLoose(before)) continue;
      const period =
        findPeriod(clause, number, named, numbers) ?? (named.length === 1 ? named[0]!.period : null) ?? sentence.period;
      if (period === null || role.role === 'direction') continue;
      const base = role.role === 'change' ? (findComparedPeriod(clause, period) ?? '') : '';
      const unit = number.unit === '%' || number.unit === 'pp' ? number.unit : 'amount';
      add(
        { role: role.role, direction: role.direction, number, start: number.start, end: number.end },
        period,
        base,
        `${role.role}:${unit}`,
      );
    }
    const moves = findMoves(clause).filter(
      ({ text: word }) =>
        !/^(?:record|growth|higher|lower|up|down|lost|increase|decrease|decline|rise|fall|drop|reduction|improvement)$/i.test(
          word,
        ),
    );
    const period = named.length === 1 ? named[0]!.period : sentence.period;
    if (period !== null && new Set(moves.map(({ direction }) => direction)).size === 1) {
      const [move] = moves;
      add(
        { role: 'direction', direction: move!.direction, number: null, start: move!.start, end: move!.end },
        period,
        findComparedPeriod(clause, period) ?? '',
        'direction',
      );
    }
  }
  return found;
}

const designations = /\b(?:class|series|level|tier|tranche|type|plan|phase|note|group|unit|zone)\s+[A-Z\d]{1,3}\b/gi;

/** The words that may tell one thing from another though they name none. */
function findWording(clause: string): string {
  const named = Array.from(clause.matchAll(designations), ([text]) => text.toLowerCase());
  const forms = Array.from(clause.matchAll(/\b\p{Ll}+ing\b|\b(?:used|provided)\b/gu), ([text]) => text);
  return [...new Set([...named, ...forms, readBasis(clause) ?? ''])].toSorted().join(' ');
}

/** "No. 07", "Topic 230634": digits that count nothing. */
function isLabel({ unit, text }: ScannedNumber): boolean {
  return unit === null && /^(?:0\d+|\d{5,})$/.test(text);
}

/** What is said so often is a form of words. */
const mostAlike = 64;

export type ProseIndex = ReadonlyMap<string, readonly ProseStatement[]>;

export function* indexProse(sentences: readonly SpokenSentence[]): Steps<ProseIndex> {
  const stated: ProseStatement[] = [];
  for (const sentence of sentences) {
    yield;
    stated.push(...readProse(sentence));
  }
  return Map.groupBy(stated, ({ key }) => key);
}

/**
 * Statements of the same measure, entity and period in different places, held against each other. A long document says
 * like things of many: there, what its tables show of both is no conflict.
 */
export function checkProse(sentence: SpokenSentence, index: ProseIndex, inLong: ShownValues | null): Draft[] {
  return readProse(sentence).flatMap((one): Draft[] => {
    const alike = index.get(one.key) ?? [];
    if (alike.length > mostAlike || isOfSeveral(one, alike)) return [];
    const others = alike.filter((other) => !isSameSentence(one.sentence, other.sentence));
    const compared = others.map((other) => ({ other, agrees: compare(one, other) }));
    const agreeing = compared.find(({ agrees }) => agrees === true);
    if (agreeing !== undefined) return [draft(one, agreeing.other, true)];
    const against = compared.find(({ agrees, other }) => agrees === false && one.wording === other.wording);
    if (against === undefined) return [];
    return inLong === null || isSure(one, against.other, inLong) ? [draft(one, against.other, false)] : [];
  });
}

function isSure(one: ProseStatement, other: ProseStatement, shown: ShownValues): boolean {
  const isShown = ({ period, value, precision, number }: ProseStatement): boolean =>
    number !== null && shown.has(period, value, precision, number.unit === '%');
  return (
    one.words >= 3 &&
    one.isDated &&
    other.isDated &&
    isOneStory(one, other) &&
    !(one.role === 'level' && isShown(one) && isShown(other))
  );
}

/** What one sentence states twice, or a text in more than two ways, is said of several things. */
function isOfSeveral(one: ProseStatement, alike: readonly ProseStatement[]): boolean {
  const inOne = Map.groupBy(alike, ({ sentence }) => sentence);
  const isTwice = [...inOne.values()].some((said) => new Set(said.map(({ value }) => value)).size > 1);
  return isTwice || (one.role !== 'direction' && new Set(alike.map(({ value }) => Math.abs(value))).size > 2);
}

/** A sentence that is said again, letter by letter, is still the same sentence. */
function isSameSentence(left: SpokenSentence, right: SpokenSentence): boolean {
  const fold = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\d%]+/gu, ' ')
      .trim();
  const isSamePlace =
    left.place !== null && left.place.block === right.place?.block && left.place.start === right.place.start;
  return isSamePlace || fold(left.text) === fold(right.text);
}

/**
 * Whether two sentences tell one story: who repeats a figure wrongly repeats what stands beside it rightly. Sentences
 * that both have other figures, and none in common, speak of one segment after the other.
 */
function isOneStory(one: ProseStatement, other: ProseStatement): boolean {
  const [left, right] = [listOthers(one), listOthers(other)];
  return left.length === 0 || right.length === 0 || left.some((figure) => right.includes(figure));
}

function listOthers({ sentence: { text }, start }: ProseStatement): string[] {
  return scanMeantNumbers(text, '.', scanPeriods(text)).flatMap((number) =>
    number.start === start ? [] : [`${number.value * (number.scale ?? 1)}${number.unit ?? ''}`],
  );
}

function compare(one: ProseStatement, other: ProseStatement): boolean | null {
  if (one.role === 'direction') return one.direction === other.direction;
  if (one.direction !== null && other.direction !== null && one.direction !== other.direction) return false;
  const [left, right] = [Math.abs(one.value), Math.abs(other.value)];
  const money = (unit: string | null | undefined): boolean => /^[A-Z]{3}$/.test(unit ?? '');
  if (money(one.number?.unit) && money(other.number?.unit) && one.number!.unit !== other.number!.unit) return false;
  if (money(one.number?.unit) !== money(other.number?.unit)) return null;
  return isWithin(left, right, one.precision + other.precision);
}

function draft(one: ProseStatement, other: ProseStatement, holds: boolean): Draft {
  const say = ({ sentence, start, end }: ProseStatement): string => sentence.text.slice(start, end);
  const places = [one, other].flatMap(({ sentence, start, end }): NumberPlace[] =>
    sentence.place === null
      ? []
      : [{ block: sentence.place.block, start: sentence.place.start + start, end: sentence.place.start + end }],
  );
  return draftFinding(
    'text-against-text',
    holds,
    `The text states ${say(one)} and ${say(other)} for the same measure.`,
    `${say(one)} ${holds ? '=' : '≠'} ${say(other)}`,
    places,
    Math.abs(one.value - other.value),
  );
}
