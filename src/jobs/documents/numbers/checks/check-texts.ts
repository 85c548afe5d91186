import type { PlacedSentence } from './check-figures.ts';
import { draftFinding, isWithin, type Draft, type PlacedStatement } from './draft-finding.ts';
import type { Place } from '../finding.ts';
import type { Grid } from '../tables/grid.ts';
import { headlineMetrics, listMeasureWords } from '../values/find-measures.ts';
import { isStopWord } from '../statements/split-clauses.ts';
import { scanPeriods, type ScannedPeriod } from '../values/scan-periods.ts';
import { isForecast, isLoose, scanMeantNumbers } from '../statements/qualify-numbers.ts';
import { pattern } from '../../../../text/index.ts';

/** An amount of the text, with what it is of. */
interface Amount {
  measure: string;
  value: number;
  precision: number;
  unit: string | null;
  text: string;
  sentence: string;
  place: Place;
}

/** The same measure of the same period, stated twice. */
export function checkTexts(
  statements: readonly PlacedStatement[],
  sentences: readonly PlacedSentence[],
  grids: readonly Grid[],
): Draft[] {
  const inTable = ({ value, precision, unit }: Amount): boolean =>
    grids.some(({ cells }) =>
      cells.some(
        ({ number }) =>
          (number.unit === '%') === (unit === '%') &&
          isWithin(Math.abs(number.value), Math.abs(value), precision + number.precision),
      ),
    );
  const seen = new Map<string, Amount[]>();
  return [...statements.flatMap(readStatementAmount), ...sentences.flatMap(readNamedAmounts)].flatMap((one) => {
    const others = seen.get(one.measure) ?? [];
    seen.set(one.measure, [...others, one]);
    const contrary = others.find((other) => other.sentence !== one.sentence && isContrary(one, other));
    // Two values that tables show are of two things.
    return contrary === undefined || (inTable(one) && inTable(contrary)) ? [] : [draftContradiction(one, contrary)];
  });
}

function readStatementAmount({ statement, sentence, place, several }: PlacedStatement): Amount[] {
  if (
    statement.role !== 'level' ||
    statement.unsure ||
    statement.planned === true ||
    statement.loose ||
    statement.modifiers.includes('segment') ||
    !statement.main ||
    (several && statement.unit === '%') ||
    statement.period === null ||
    !headlineMetrics.has(statement.metric) ||
    Math.abs(statement.value) < 150 * statement.precision ||
    statement.period === 'previous' ||
    place === null
  )
    return [];
  const kind = statement.unit === '%' ? '%' : 'amount';
  const measure = [
    statement.metric,
    statement.modifiers.toSorted().join(' '),
    statement.context.join(' '),
    statement.period,
    kind,
  ].join('|');
  return [
    {
      measure,
      value: statement.value,
      precision: statement.precision,
      unit: statement.unit,
      text: statement.text,
      sentence,
      place,
    },
  ];
}

const verbs = pattern('i')`
  \s*\(?\s*:\s*$|\s+(?:(?:closed|ended|finished|landed)(?: the year)? at|is|amounted to|stood at
  |came (?:in )?(?:to|at)|was|were|totall?ed|reached|of)\s*$`;

/**
 * "Free reserves of $53.6 million in 2022", "At $49.5 million in 2022, capital expenditure …": in a short document
 * the noun beside an amount says what it is of, whether a table knows it or not.
 */
function readNamedAmounts({ text, mark, placeOf, several }: PlacedSentence): Amount[] {
  if (several || !/\d/.test(text) || /\bbudget/i.test(text)) return [];
  const periods = scanPeriods(text);
  const [period] = periods;
  const numbers = scanMeantNumbers(text, mark, periods);
  const [number] = numbers;
  if (number === undefined || numbers.length > 1 || period === undefined || periods.length > 1 || isForecast(text))
    return [];
  const factor = number.scale ?? 1;
  const before = text.slice(0, number.start);
  const after = text.slice(number.end);
  const behind = /^at\s*$/i.test(before)
    ? /^[^,]{0,40},\s+(?:the\s+|our\s+)?((?:[\p{L}&'’-]+\s+){1,6})/iu.exec(after)?.[1]
    : undefined;
  const noun = behind !== undefined ? takeFirstWords(behind) : findNounBefore(before, period);
  const place = placeOf(number);
  if (
    noun === '' ||
    place === null ||
    number.unit === null ||
    number.unit === '%' ||
    number.unit === 'pp' ||
    isLoose(before)
  )
    return [];
  const measure = listMeasureWords(noun).join(' ');
  if (measure === '' || number.value * factor < 60 * number.precision * factor) return [];
  return [
    {
      measure: `${measure}|${period.period}`,
      value: number.value * factor,
      precision: number.precision * factor,
      unit: number.unit,
      text: number.text,
      sentence: text,
      place,
    },
  ];
}

/** With or without the period between the noun and its verb: "closed 2023 at", "(2023:". */
function findNounBefore(before: string, period: ScannedPeriod): string {
  const plain =
    period.end <= before.length
      ? `${before.slice(0, period.start).trimEnd()} ${before.slice(period.end).trimStart()}`
      : before;
  if (verbs.test(plain)) return takeLastWords(dropPeriodWords(plain.replace(verbs, '')));
  return '';
}

const endsNoun = (word: string): boolean =>
  (isStopWord(word) && !/^(?:net|total|and)$/i.test(word) && !/^\p{Ll}+ed$/u.test(word)) ||
  /^(?:reported|recorded|posted|had|or|show|shows|mainly|largely|reflects?|relates?|held|remained)$/i.test(word);

function dropPeriodWords(text: string): string {
  return text
    .replace(/\byear-end\b/gi, '')
    .trim()
    .replace(/(?:\s+(?:in|for|at|of|as|the|end|during))+$/i, '');
}

function takeLastWords(text: string): string {
  const words = (/(?:^|[,;:]\s*)([^,;:]*)$/.exec(text)?.[1] ?? '').trim().split(/\s+/);
  return words
    .slice(words.findLastIndex(endsNoun) + 1)
    .join(' ')
    .replace(/^and\s+|\s+and$/gi, '');
}

function takeFirstWords(text: string): string {
  const words = text.trim().split(/\s+/);
  const end = words.findIndex(endsNoun);
  return words
    .slice(0, end < 0 ? words.length : end)
    .join(' ')
    .replace(/^and\s+|\s+and$/gi, '');
}

const steps = [1e3, 1e-3, 1e6, 1e-6];
const isStepApart = (left: Amount, right: Amount): boolean =>
  steps.some((power) =>
    isWithin(Math.abs(left.value), Math.abs(right.value) * power, left.precision + right.precision * power),
  );

function isContrary(left: Amount, right: Amount): boolean {
  if (left.unit !== right.unit && (left.unit === null || right.unit === null)) return false;
  const [a, b] = [Math.abs(left.value), Math.abs(right.value)];
  if (isWithin(a, b, left.precision + right.precision)) return left.unit !== right.unit;
  return (a / b > 0.5 && a / b < 2) || isStepApart(left, right);
}

function draftContradiction(one: Amount, other: Amount): Draft {
  return draftFinding(
    isStepApart(one, other) || one.unit !== other.unit ? 'units' : 'text-against-text',
    false,
    `The text states ${one.text} and ${other.text} for the same measure.`,
    `${one.text} ≠ ${other.text}`,
    [one.place, other.place],
    Math.abs(one.value - other.value),
  );
}
