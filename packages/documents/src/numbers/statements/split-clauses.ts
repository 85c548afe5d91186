import { findMeasureWords, type PlacedWord } from '../values/find-measures.ts';
import { pattern } from '@agonhq/engine/text';

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
