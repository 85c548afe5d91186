import { splitClauses, findModifiers } from './split-clauses.ts';
import { headlineMetrics, metricWords, findMeasureWords, type PlacedWord } from '../values/find-measures.ts';
import { findPeriodBefore, scanPeriods, findYearBefore } from '../values/scan-periods.ts';
import { findMetric, findNamedLine, isName, isSaidInPassing, isVerb } from './find-metric.ts';
import { isAmbiguousMove, findMoves, findRole, type Role, scanWordedNumbers, type WordedNumber } from './find-roles.ts';
import { isForecast, isList, isLoose, isPlanned, scanMeantNumbers } from './qualify-numbers.ts';
import type { DecimalMark, ScannedNumber } from '../values/scan-numbers.ts';
import { findComparedPeriod, isBasePeriod, pairPeriods, findPeriodAfter, findPeriod } from './find-periods.ts';
import { pattern } from '../../../../text/index.ts';

/** What a sentence says with a number, or of a direction, about a measure. */
export interface Statement {
  /** It was so much, it changed by so much, it is such a part of the whole, it went up or down. */
  role: 'level' | 'change' | 'share' | 'direction';
  /** Within the sentence: of the number, or of the words of direction. */
  start: number;
  end: number;
  text: string;
  /** In base units; 0 for a direction. */
  value: number;
  precision: number;
  unit: string | null;
  /** 1 up, −1 down, 0 unchanged, null when nothing is said. */
  direction: 1 | 0 | -1 | null;
  metric: string;
  /** What narrows the measure down, right beside it: "cloud" of "cloud revenue", "Europe" of "revenue in Europe". */
  modifiers: readonly string[];
  /** All words of its clause, and of the phrase that opens the sentence. */
  words: ReadonlySet<string>;
  /** Those of the phrase that opens the sentence: "In Europe, …". */
  leading: readonly string[];
  /** What the section is about, where its heading names a line of a table: a segment, a country. */
  context: readonly string[];
  /** It is what the sentence is about, and not said in passing. */
  main: boolean;
  period: string | null;
  /** It was so planned; null where no plan is spoken of. */
  planned: boolean | null;
  /** What a change is measured against; null when not said. */
  base: string | null;
  /** "about", "more than": the number is not meant to the digit. */
  loose: boolean;
  /** No word or letter beside the number says thousands or millions. */
  bare: boolean;
  /** The sentence names another measure or a condition beside it: too much for a contradiction. */
  unsure: boolean;
}

/** The base of a change that is measured against what was planned. */
export const planBase = 'plan';

const denied = /\b(?:not|no|neither|nor|never|without|rather than|instead of)\b/i;
const byNoAmount = pattern()`
  ^\s+by\s+(?![\d$€£¥]|[A-Z]{3}\s?\d|(?:about|approximately|nearly|around|over|almost|roughly|some|more)\b)`;

const movingNoun = pattern('i')`
  ^(?:higher|lower|rising|falling|growing|declining|increasing|decreasing|contracting|expanding|improving|reduction
  |increases?|decreases?|rises?|falls?|declines?|gains?|drops?|growth|improvement|contraction|deterioration
  |compression|uplift|upturn)$`;

const introducesMove = pattern('i')`
  \b(?:there was|saw|showed|recorded|reported|experienced)\s+(?:an?\s+)?
  (?:(?:further|slight|modest|sharp|marked|significant)\s+)?$`;

/** What a sentence states about measures; else about lines of tables that it names ("Europe grew by 15 %"). */
export function readStatements(
  sentence: string,
  mark: DecimalMark = '.',
  lines: readonly (readonly string[])[] = [],
): Statement[] {
  const worded = scanWordedNumbers(sentence);
  if (!/\d/.test(sentence) && worded.length === 0 && findMoves(sentence).length === 0) return [];
  const named = scanPeriods(sentence);
  const bases = named.filter((period) => isBasePeriod(sentence, period));
  const periods = named.filter((period) => !bases.includes(period));
  const words = findMeasureWords(sentence);
  const numbers = scanMeantNumbers(sentence, mark, named);
  const opening = /^(?:in|for|at|across|within)\b[^,]{0,80},/i.exec(sentence)?.[0].length ?? 0;
  const openingWords = words.filter(({ end }) => end <= opening).map(({ word }) => word);
  const paired = pairPeriods(sentence, numbers, named);
  if (paired === null && (/\brespectively\b/i.test(sentence) || isList(sentence, numbers))) return [];
  const leading = periods.find(
    ({ start }) =>
      start < 40 &&
      /^\W*(?:in|for|during|by|at|as of|over|through|on)?\s*(?:the\s+)?(?:end of\s+|year to\s+)?$/i.test(
        sentence.slice(0, start),
      ),
  );

  const budgeted = /\bbudget(?:ed|s)?\b/i.test(sentence);
  const statements: Statement[] = [];
  let carried: PlacedWord | undefined;
  for (const [from, to] of splitClauses(sentence, words, lines)) {
    const clause = sentence.slice(from, to);
    const unsure = isForecast(clause) || denied.test(clause);
    const clauseWords = words.filter(({ start }) => start >= from && start < to);
    const all = new Set([...openingWords, ...clauseWords.map(({ word }) => word)]);
    const measures = clauseWords.filter(
      (one) => metricWords.has(one.word) && !isName(sentence, one) && !isVerb(sentence, one),
    );
    const found =
      carried === undefined && !measures.some(({ word }) => headlineMetrics.has(word))
        ? findNamedLine(clauseWords, lines)
        : null;
    // "Store payroll" is a line of a table, and no number of stores.
    const line =
      found !== null &&
      measures.every(({ word }) =>
        found.words.includes(word) ? found.words.length > 1 : /^(?:spending|spend|budget)$/.test(word),
      )
        ? found
        : null;
    const metrics = line === null ? measures : [line.place];
    const clauseNumbers: (ScannedNumber | WordedNumber)[] = [...numbers, ...worded].filter(
      ({ start }) => start >= from && start < to,
    );
    const clausePeriods = periods.filter(({ start }) => start >= from && start < to);
    const base = (now: string | null): string | null =>
      bases.findLast((period) => period.period !== now)?.period ?? findComparedPeriod(clause, now);
    const roles: Role[] = [];
    for (const number of clauseNumbers) {
      const before = sentence.slice(from, number.start);
      const after = sentence.slice(number.end, to);
      const metric = line?.place ?? findMetric(metrics, number, before, after, sentence) ?? carried;
      // What ends with a bare number and no full stop was cut off before its unit.
      if (
        metric === undefined ||
        (!('said' in number) &&
          number.scale === null &&
          number.unit !== '%' &&
          sentence.slice(number.end).trim() === '')
      )
        continue;
      // "by $38 million, or 3 %": the same change twice.
      const again = /,?\s(?:or|\()\s*$/.test(before) && roles.at(-1)?.role === 'change' ? roles.at(-1)! : null;
      const said = 'said' in number ? number.said : (again ?? findRole(before, after, number));
      if (said === null) continue;
      // "(2023: 27.3 %)" behind a share is one, too.
      const role: Role =
        said.previous && number.unit === '%' && roles.at(-1)?.role === 'share' ? { ...said, role: 'share' } : said;
      roles.push(role);
      const own =
        paired?.get(number) ?? findPeriod(sentence, number, role.previous ? named : clausePeriods, clauseNumbers);
      const now =
        own ??
        leading?.period ??
        clausePeriods.find(({ end }) => end <= number.start)?.period ??
        (periods.length === 1 ? periods[0]!.period : null) ??
        findPeriodAfter(bases);
      const earlier = role.previous
        ? (own ??
          (now === null
            ? 'previous'
            : /\b(?:previous|prior|preceding) quarter\b/i.test(clause)
              ? findPeriodBefore(now)
              : findYearBefore(now)))
        : now;
      const planned = budgeted ? isPlanned(before, after) : null;
      const factor = number.unit === '%' || number.unit === 'pp' ? 1 : (number.scale ?? 1);
      statements.push({
        role: role.role,
        start: number.start,
        end: number.end,
        text: number.text,
        value: number.value * factor,
        precision: number.precision * factor,
        unit: number.unit,
        direction: role.direction,
        metric: metric.word,
        modifiers: line?.words ?? findModifiers(sentence, metric, words, periods, to),
        words: all,
        leading: openingWords,
        context: [],
        main: from === 0 && metric === metrics[0],
        bare: number.scale === null,
        planned,
        period: planned === true ? now : earlier,
        base: budgeted && role.role === 'change' ? planBase : base(now),
        loose: isLoose(before),
        unsure:
          unsure ||
          (role.role !== 'share' && isSaidInPassing(sentence, metric)) ||
          /^\s*(?:in connection with|related to|relating to|attributable to|associated with)\b/i.test(after) ||
          /\b(?:consist|includ|compris)\w*\b[^,;]*$/i.test(before),
      });
    }
    for (const move of findMoves(clause)) {
      const start = from + move.start;
      const end = from + move.end;
      // "There was a decrease in revenue": the measure follows.
      const of =
        introducesMove.test(sentence.slice(0, start)) &&
        /^(?:increase|decrease|rise|fall|decline|drop|growth|improvement|reduction)$/i.test(move.text)
          ? metrics.find((metric) =>
              /^\s+in\s+(?:(?:the|our|total|group|net)\s+)*(?:[\p{L}&-]+\s+){0,2}$/iu.test(
                sentence.slice(end, metric.start),
              ),
            )
          : undefined;
      const adjective = movingNoun.test(move.text);
      if (
        (adjective && of === undefined) ||
        /\b(?:are|is|be|being|been)\s+$/i.test(sentence.slice(0, start)) ||
        byNoAmount.test(sentence.slice(end))
      )
        continue;
      const subject =
        of ??
        metrics.findLast(
          (metric) =>
            metric.end <= start &&
            sentence.slice(metric.end, start).split(/\s+/).length <= 7 &&
            !/[,:]|\b(?:and|or|that|which|to|by|than|with|due|because)\b/.test(sentence.slice(metric.end, start)) &&
            !metricWords.has(
              words.find((word) => word.start >= end)?.start === end + 1
                ? words.find((word) => word.start >= end)!.word
                : '',
            ),
        );
      if (subject === undefined) continue;
      const now =
        leading?.period ??
        clausePeriods.findLast((period) => period.start > end)?.period ??
        clausePeriods[0]?.period ??
        (periods.length === 1 ? periods[0]!.period : null) ??
        findPeriodAfter(bases);
      statements.push({
        role: 'direction',
        start,
        end,
        text: move.text,
        value: 0,
        precision: 0,
        unit: null,
        direction: move.direction,
        metric: subject.word,
        modifiers: line?.words ?? findModifiers(sentence, subject, words, periods, start > subject.end ? start : to),
        words: all,
        leading: openingWords,
        context: [],
        main: from === 0 && subject === metrics[0],
        bare: true,
        planned: null,
        period: now,
        base: base(now),
        loose: false,
        unsure:
          unsure ||
          budgeted ||
          (of === undefined && isSaidInPassing(sentence, subject)) ||
          isAmbiguousMove(move.text, subject.word),
      });
    }
    carried = /\b(?:which|reaching|rising|falling)\b/i.test(sentence.slice(to, to + 14))
      ? (metrics[0] ?? carried)
      : undefined;
  }
  return statements;
}
