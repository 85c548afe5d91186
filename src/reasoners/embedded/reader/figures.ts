import { pattern } from '../../../text/index.ts';

/**
 * Numbers of a claim, and how those of a passage relate to them: what a small network cannot compute itself.
 * training/reader/figures.py does the same; both are held to the same fixtures.
 */
export interface Figure {
  value: number;
  scale: number;
  /** Half a unit of its last digit. */
  half: number;
  start: number;
  end: number;
  isYear: boolean;
  /** A small whole number means itself, and nothing that is rounded to it. */
  isCount: boolean;
  isWord: boolean;
  /** What rounds to it, as printed and with its scale, in thousands and in millions. */
  reach: readonly (readonly [from: number, to: number])[];
}

/** What a number is to the claim's (of the passage), or what became of it in the passage (of the claim). */
export const relation = {
  noNumber: 0,
  unrelated: 1,
  same: 2,
  rounded: 3,
  above: 4,
  below: 5,
  between: 6,
  notFound: 7,
  derived: 8,
  aggregate: 9,
  wordNotFound: 10,
  counted: 11,
} as const;

const scales: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  m: 1e6,
  mn: 1e6,
  bn: 1e9,
  k: 1e3,
};
const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const number = /(?<![A-Za-z\d.,])\d+(?:,\d+)*(?:\.\d+)?/g;
const claimNumber = pattern('giu')`
  (?<![a-z\d.,])(?<digits>\d+(?:,\d+)*(?:\.\d+)?)
  (?:\s?(?<scale>thousand|million|billion|trillion|mn|bn|m|k)(?![\p{L}\p{N}_]))?
  |(?<![\p{L}\p{N}_])(?<word>${words.join('|')})(?![\p{L}\p{N}_])`;
const year = /^(?:1[6-9]|20)\d\d$/;

/** The numbers of a sentence, with where they stand. */
export function findNumbers(text: string): { value: number; start: number; end: number }[] {
  return Array.from(text.matchAll(number), ({ 0: digits, index }) => ({
    value: readDigits(digits),
    start: index,
    end: index + digits.length,
  }));
}

export function findFigures(claim: string): Figure[] {
  return Array.from(claim.matchAll(claimNumber), ({ 0: text, index, groups }) => {
    const { digits, scale: named, word } = groups as { digits?: string; scale?: string; word?: string };
    const value = digits === undefined ? words.indexOf(word!.toLowerCase()) : readDigits(digits);
    const decimals = digits?.split('.')[1]?.length ?? 0;
    const scale = named === undefined ? 1 : scales[named.toLowerCase()]!;
    const half = 0.5 * Number(`1e-${decimals}`);
    return {
      value,
      scale,
      half,
      start: index,
      end: index + text.length,
      isYear: digits !== undefined && named === undefined && year.test(digits),
      isCount: decimals === 0 && value < 100 && scale === 1,
      isWord: word !== undefined,
      reach: [
        [value, half],
        [value * scale, half * scale],
      ].flatMap(([middle, width]) =>
        [1, 1e3, 1e6, 1e-3, 1e-6].map(
          (power) => [(middle! - 1.0001 * width!) / power, (middle! + 1.0001 * width!) / power] as const,
        ),
      ),
    };
  });
}

function readDigits(digits: string): number {
  return Number(digits.replaceAll(',', ''));
}

function matchFigure(figure: Figure, signed: number): number {
  const value = Math.abs(signed);
  if (value === figure.value || value === figure.value * figure.scale) return relation.same;
  if (figure.isCount || figure.isYear) return relation.noNumber;
  return figure.reach.some(([from, to]) => from <= value && value <= to) ? relation.rounded : relation.noNumber;
}

/** Whether a computed value is the figure, as far as its digits go. */
export function isNear(figure: Figure, value: number): boolean {
  return Math.abs(Math.abs(value) - figure.value) <= figure.half * 1.0001;
}

/** What a number of the passage is to the claim's. */
export function relateNumber(value: number, figures: readonly Figure[]): number {
  if (figures.length === 0) return relation.unrelated;
  const found = figures.map((figure) => matchFigure(figure, value));
  if (found.includes(relation.same)) return relation.same;
  if (found.includes(relation.rounded)) return relation.rounded;
  const amounts = figures.filter(({ isYear }) => !isYear).map((figure) => figure.value * figure.scale);
  const size = Math.abs(value);
  if (amounts.length === 0 || (size >= 1600 && size < 2100 && Number.isInteger(value))) return relation.unrelated;
  if (size > Math.max(...amounts)) return relation.above;
  return size < Math.min(...amounts) ? relation.below : relation.between;
}

/** What became of a number of the claim among those of a passage. */
export function findFigure(figure: Figure, values: readonly number[]): number {
  const found = values.map((value) => matchFigure(figure, value));
  if (found.includes(relation.same)) return relation.same;
  return found.includes(relation.rounded) ? relation.rounded : relation.notFound;
}

/** Whether two numbers of one group give the figure: their difference, sum, ratio, share or change in per cent. */
export function isDerived(figure: Figure, groups: readonly (readonly number[])[]): boolean {
  if (figure.isWord) return false;
  return groups.some((group) =>
    group.some((first, at) =>
      group.slice(at + 1).some((second) => combine(first, second).some((value) => isNear(figure, value))),
    ),
  );
}

function combine(first: number, second: number): number[] {
  const shares = (one: number, other: number): number[] =>
    other === 0 ? [] : [one / other, (100 * one) / other, (100 * (one - other)) / Math.abs(other)];
  return [first - second, first + second, ...shares(first, second), ...shares(second, first)];
}
