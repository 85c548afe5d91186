import type { PlacedSentence } from './check-figures.ts';
import { draftFinding, isWithin, type Draft } from './draft-finding.ts';
import { scanPeriods } from '../values/scan-periods.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { scanMeantNumbers } from '../statements/read-statements.ts';

interface Told {
  sentence: PlacedSentence;
  numbers: readonly string[];
}

/** So many words and other numbers must be the same, before a sentence is the same one told twice. */
const leastWords = 12;
const leastNumbers = 3;
const digits = /\d[\d,.]*\d|\d/g;

/** A passage that stands in a report twice, word for word, but for one amount. */
export function checkRepeats(sentences: readonly PlacedSentence[]): Draft[] {
  const seen = new Map<string, Told[]>();
  for (const sentence of sentences) {
    const numbers = sentence.text.match(digits) ?? [];
    if (numbers.length <= leastNumbers) continue;
    const words =
      sentence.text
        .replace(digits, '#')
        .toLowerCase()
        .match(/[\p{L}#$€£¥%]+/gu) ?? [];
    if (words.length >= leastWords)
      seen.set(words.join(' '), [...(seen.get(words.join(' ')) ?? []), { sentence, numbers }]);
  }
  return [...seen.values()].flatMap((told) => {
    const [one, other] = told;
    // What is said in one form more than twice is said of several things.
    if (told.length !== 2 || one === undefined || other === undefined) return [];
    const differ = one.numbers.flatMap((number, at) => (number === other.numbers[at] ? [] : [at]));
    const [at] = differ;
    if (at === undefined) return [];
    const [left, right] = [readAmountAt(one, at), readAmountAt(other, at)];
    if (differ.length > 1 || left === null || right === null || left.unit !== right.unit || left.unit === null)
      return [];
    const factor = (number: ScannedNumber): number =>
      number.unit === '%' || number.unit === 'pp' ? 1 : (number.scale ?? 1);
    const [value, contrary] = [left.value * factor(left), right.value * factor(right)];
    const places = [one.sentence.placeOf(left), other.sentence.placeOf(right)].filter((place) => place !== null);
    if (isWithin(value, contrary, left.precision * factor(left) + right.precision * factor(right))) return [];
    return [
      draftFinding(
        'text-against-text',
        false,
        `The same sentence states ${left.text} in one place and ${right.text} in another.`,
        `${left.text} ≠ ${right.text}`,
        places,
        Math.abs(value - contrary),
      ),
    ];
  });
}

/** The amount whose digits are the n-th of a sentence; null where they are a year, a date or a note's. */
function readAmountAt({ sentence: { text, mark } }: Told, at: number): ScannedNumber | null {
  const { index } = [...text.matchAll(digits)][at]!;
  return (
    scanMeantNumbers(text, mark, scanPeriods(text)).find(({ start, end }) => start <= index && end > index) ?? null
  );
}
