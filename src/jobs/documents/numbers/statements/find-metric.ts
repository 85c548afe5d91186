import { headlineMetrics, type PlacedWord } from '../values/find-measures.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { beginsMove } from './find-roles.ts';
import { isStopWord } from './split-clauses.ts';
import { pattern } from '../../../../text/index.ts';

const leadsToMetric = pattern('iu')`
  ^,?\s+(?:(?:increase|decrease|growth|rise|decline|drop|fall|improvement|reduction|gain|higher|lower)\s+)?
  (?:in|of)?\s*(?:(?:total|net|the|our|annual|group|quarterly)\s+)*(?:[\p{L}&-]+\s+){0,2}$`;

/** The measure that a number is of. */
export function findMetric(
  metrics: readonly PlacedWord[],
  number: ScannedNumber,
  before: string,
  after: string,
  sentence: string,
): PlacedWord | undefined {
  // "$4.6 million in revenue", "a 15 % increase in revenue": the measure follows its number.
  const follows = metrics.find(
    (metric) => metric.start >= number.end && leadsToMetric.test(sentence.slice(number.end, metric.start)),
  );
  const precedes = metrics.findLast((metric) => metric.end <= number.start);
  const attributive =
    /^\s+(?:increase|decrease|growth|rise|decline|drop|fall|improvement|reduction|gain)\s+in\b|^\s+(?:in|of)\s/i.test(
      after,
    ) && !/\b(?:of|at|was|were|to|from|by|reached|totall?ed|than)\s*$/i.test(before);
  return attributive ? (follows ?? precedes) : (precedes ?? follows);
}

/** The measure of a statement that names none but a line of a table. */
export const anyMeasure = '*';

/** The line of a table that words name, where they name no measure. */
export function findNamedLine(
  words: readonly PlacedWord[],
  lines: readonly (readonly string[])[],
): { place: PlacedWord; words: readonly string[] } | null {
  const said = new Set(words.map(({ word }) => word));
  const named = new Set(lines.filter((line) => line.every((word) => said.has(word))).flat());
  const first = words.findIndex(({ word }) => named.has(word));
  if (first < 0) return null;
  const next = words.findIndex(({ word }, at) => at > first && !named.has(word));
  return {
    place: { word: anyMeasure, start: words[first]!.start, end: words[next < 0 ? words.length - 1 : next - 1]!.end },
    words: [...named],
  };
}

/** "The new wards cost £5 million". */
export function isVerb(sentence: string, { word, end }: PlacedWord): boolean {
  return word === 'cost' && /^\s+(?:about |around |nearly |some )?[$€£¥]?(?:[A-Z]{3}\s)?\d/.test(sentence.slice(end));
}

/** "Contract" of "Contract Logistics" measures nothing. */
export function isName(sentence: string, { word, start, end }: PlacedWord): boolean {
  return (
    !headlineMetrics.has(word) &&
    /\p{Lu}/u.test(sentence[start]!) &&
    (/\p{Lu}[\p{L}&]* $/u.test(sentence.slice(0, start)) || /^ (?:& |and )?\p{Lu}/u.test(sentence.slice(end)))
  );
}

const inPassing = pattern('iu')`
  \b(?:related to|associated with|(?<!\b(?:was|were) )attributable to|net of|included in|fair value of
  |(?:increase|decrease|reduction|addition) (?:to|in)|portion of|part of|impact of|effect of|benefits? (?:of|from)
  |changes? in|allocated to|recorded (?:in|within)|classified (?:in|within|as)|as a percentage of|% of
  |percent of)\s+(?:[\p{L}'’-]+\s+){0,4}$`;

/** "Tax benefits related to revenue": the number is not of the revenue. */
export function isSaidInPassing(sentence: string, { start, end }: PlacedWord): boolean {
  if (/[)\]”"]\s*$/.test(sentence.slice(0, start)) || /^\s+(?:under|pursuant to)\s/i.test(sentence.slice(end)))
    return true;
  // "Income tax refunds": the measure only narrows down another noun.
  const next = /^\s+([\p{L}-]+)/u.exec(sentence.slice(end))?.[1];
  if (
    next !== undefined &&
    !beginsMove(sentence.slice(end).trimStart()) &&
    !isStopWord(next) &&
    !/^(?:base|intake|figures?|cost)$/.test(next) &&
    !/^\p{Lu}|(?:ing|s)$/u.test(
      next.replace(
        /^.*(?:refunds|payments|assets|deposits|carryforwards|benefits|rates|positions|proceeds|credits)$/,
        'noun',
      ),
    )
  )
    return true;
  return inPassing.test(sentence.slice(Math.max(0, start - 70), start));
}
