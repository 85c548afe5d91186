import { partSeparator, splitPlainWords } from '@agonhq/engine/text';

/** A text as its words, for telling whether another says the same in the same words. */
export type Wording = readonly PartWording[];

interface PartWording {
  /** Its words in order, without case, marks and white space. */
  plain: string;
  pairs: ReadonlySet<string>;
}

/** Shorter than this, what is contained in another text is a common phrase and not a copy. */
const shortestCopy = 60;

/** The wording of a case, part by part: the same image under other words is another case. */
export function wordingOf(text: string): Wording {
  return text.split(partSeparator).map((part) => {
    const words = splitPlainWords(part);
    return { plain: words.join(' '), pairs: new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`)) };
  });
}

/**
 * How many of their neighbouring words two texts share in the part where they share least, 0 to 1; 1 also where one
 * is an excerpt of the other. Below `least` it is told as 0, which is sooner known.
 */
export function overlapOfWords(one: Wording, other: Wording, least = 0): number {
  if (one.length !== other.length) return 0;
  return Math.min(...one.map((part, index) => partOverlap(part, other[index]!, least)));
}

export function sameWords(one: Wording, other: Wording): boolean {
  return one.length === other.length && one.every(({ plain }, index) => plain !== '' && plain === other[index]!.plain);
}

function partOverlap(one: PartWording, other: PartWording, least: number): number {
  if (one.plain === other.plain || contains(one.plain, other.plain)) return 1;
  const [few, many] = one.pairs.size <= other.pairs.size ? [one.pairs, other.pairs] : [other.pairs, one.pairs];
  const mostMissing = few.size - least * many.size;
  let missing = 0;
  for (const pair of few) {
    if (missing > mostMissing) return 0;
    if (!many.has(pair)) missing += 1;
  }
  return many.size === 0 || missing > mostMissing ? 0 : (few.size - missing) / many.size;
}

function contains(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.length >= shortestCopy && long.includes(short);
}
