import { findMeasureWords, type PlacedWord } from '../values/find-measures.ts';
import type { ScannedPeriod } from '../values/scan-periods.ts';
import { pattern } from '../../../../text/index.ts';

const splitter = pattern('giu')`
  ;\s|:\s(?=\p{Lu})|,?\s(?:while|whereas|but|although|though|despite
  |(?<!\b(?:was|were|is|are) )driven (?:mainly |primarily |largely )?by
  |(?<!\b(?:was|were|is|are) )(?:mainly |primarily |largely |partly |partially )?(?:due to|offset by|attributable to
  |because of|because)|as a result of|thanks to|owing to|reflecting|on the back of|supported by|helped by
  |resulting from|which)\s|,?\s(?:and|with)\s(?=[^,;]{0,80}?\b(?:was|were|grew|rose|fell|increased|decreased
  |declined|reached|improved|reaching|rising|falling|stood|totall?ed|amounted|accounted|contributed|represented|came
  |climbed|dropped|expanded|contracted|narrowed|widened)\b)`;

/** Its parts that speak of one thing each; what is one name ("Sales and marketing", "Fuel and power") stays whole. */
export function splitClauses(
  sentence: string,
  words: readonly PlacedWord[] = findMeasureWords(sentence),
  lines: readonly (readonly string[])[] = [],
): [number, number][] {
  const found = [
    ...[...sentence.matchAll(splitter)].map((match) => match.index),
    ...findSubjectsAfterCommas(sentence),
  ].toSorted((left, right) => left - right);
  const cuts = [...new Set(found)].filter((cut) => {
    const before = words.findLast(({ start }) => start < cut);
    const after = words.find(({ start }) => start > cut);
    if (before === undefined || after === undefined) return true;
    return before.end <= cut && !lines.some((line) => line.includes(before.word) && line.includes(after.word));
  });
  const bounds = [0, ...cuts, sentence.length];
  return bounds
    .slice(1)
    .map((end, index): [number, number] => [bounds[index]!, end])
    .filter(([from, to]) => to > from);
}

const newSubject = pattern('giu')`
  ,\s(?=(?:the |our )?(?!which\b|reaching\b|up\b|down\b|an?\b)(?:\p{L}[\p{L}&'’-]*\s){1,6}?
  (?:was|were|grew|rose|fell|increased|decreased|declined|reached|improved|stood|totall?ed|amounted|accounted|came
  |climbed|dropped|expanded|contracted|narrowed|widened|slipped|advanced|shrank)\b)`;

/** "While X fell 7 %, Y rose 3 %": behind a comma after a number, another subject begins with its own verb. */
function findSubjectsAfterCommas(sentence: string): number[] {
  return [...sentence.matchAll(newSubject)]
    .map((match) => match.index)
    .filter(
      (cut) =>
        /%|[$€£¥]|\b(?:per ?cent|million|billion|thousand)\b/i.test(sentence.slice(0, cut)) &&
        !/^(?:at|with)\b/i.test(sentence),
    );
}

const stop = pattern('u')`
  ^(?:was|were|is|are|be|been|has|had|have|grew|rose|fell|increased|decreased|declined|in|on|at|for|to|from|by|with
  |and|or|of|as|that|this|these|those|the|a|an|our|its|their|his|her|we|it|which|while|both|total|overall|group
  |company|consolidated|reported|annual|quarterly|full-year|fiscal|strong|solid|robust|higher|lower|record|weak
  |weaker|stronger|rising|falling|growing|declining|improved|increase|decrease|growth|decline|rise|fall|drop|change
  |also|however|meanwhile|similarly|accordingly|again|therefore|overall|combined|resulting|corresponding
  |year-on-year|year-over-year|net|same|respective|further|another|additional|about|approximately|level|levels|end
  |year|quarter|period|full|half|first|second|third|fourth|prior|previous|last|during|compared|when|where|all|each
  |every|per|than|more|less|most|only|even|still|already|first-quarter|second-quarter|third-quarter|fourth-quarter
  |generated|recorded|posted|reported|achieved|delivered|realised|realized|earned|saw|with|company-wide|group-wide
  |entire|aggregate|whole|business|management|board|result|results|performance|month|months|weeks|ended|ending
  |operations|continuing|because|so|but|although|though|until|since|through|over|into|after|before|between|under
  |above|below|around|nearly|roughly|just|almost|some|stood|came|went|hit|brought|made|left|took|gave|saw|met|won|up
  |down|shrank|will|would|can|may|should|could|did|does|do|not|no|number|numbers|count|percent|show|shows|showed|see
  |sees|include|includes|including|bring|brings|mean|means|give|gives|put|puts|state|states|list|lists|contain
  |contains|present|presents|record|records|report|reports|accounts|statements|at)$
  |^(?!supply$|family$|assembly$|specialty$)\p{Ll}+(?:ed|ly)$`;

const narrowedBy = pattern('iu')`
  ^\s*(?:\([^)]*\)\s*)?(?:in|from|of|for|at|across|within|on|related to|associated with|attributable to
  |used (?:in|for|by)|provided by)\s+(?:the\s+|our\s+)?((?:[\p{L}&'’-]+\s*){1,5})`;

/** The words that narrow a measure down, before it and in the phrase behind it. */
export function findModifiers(
  sentence: string,
  metric: PlacedWord,
  words: readonly PlacedWord[],
  periods: readonly ScannedPeriod[],
  end: number,
): string[] {
  const inside = new Set<string>();
  const front = /((?:[\p{L}\d&'’.-]+\s+){0,5})$/u.exec(sentence.slice(0, metric.start))?.[1] ?? '';
  const fore = front
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  let reach = metric.start;
  for (const word of fore.toReversed()) {
    if (/^(?:and|&|or|group|company|business)(?:['’]s)?$/i.test(word)) {
      reach -= word.length + 1;
      continue;
    }
    if (isStopWord(word.replace(/['’]s$/, ''))) break;
    reach -= word.length + 1;
  }
  const phrase = narrowedBy.exec(sentence.slice(metric.end, end));
  let tail = metric.end;
  if (phrase !== null) {
    tail = metric.end + phrase[0].length - phrase[1]!.length;
    for (const word of phrase[1]!.trim().split(/\s+/)) {
      if (isStopWord(word)) break;
      tail += word.length + 1;
    }
  }
  for (const { word, start, end: wordEnd } of words) {
    if (periods.some((period) => start < period.end && wordEnd > period.start)) continue;
    if (start >= reach - 1 && start < tail && !(start >= metric.start && wordEnd <= metric.end)) inside.add(word);
  }
  return [...inside];
}

/** A capital inside a sentence is a name's: "United" of "United Kingdom" is no verb. */
export function isStopWord(word: string): boolean {
  return stop.test(word) || (stop.test(word.toLowerCase()) && !/^\p{Lu}\p{Ll}+(?:ed|ly)$/u.test(word));
}
