import { upperMedian } from '../statistics/index.ts';

/**
 * From which similarity a case is alike and from which it may be a copy, and how much another modality counts against
 * it.
 */
export interface SimilarityBounds {
  least: number;
  copy: number;
  otherModality: number;
}

const pairs = 2_000;
/** How far from what any two cases have in common to being the same. */
const shares = { least: 0.2, copy: 0.86, otherModality: 0.12 };

/**
 * Bounds for whatever model made the vectors. Models differ in how alike they find things that have nothing to do with
 * each other (the guard .75, others .1), so the bounds lie between what two cases of the library usually have and one.
 */
export function similarityBounds(vectors: readonly Float32Array[], least?: number): SimilarityBounds {
  const usual = usualSimilarity(vectors);
  const between = (share: number) => usual + share * (1 - usual);
  return {
    least: least ?? between(shares.least),
    copy: between(shares.copy),
    otherModality: shares.otherModality * (1 - usual),
  };
}

/** The median over pairs that lie far apart in the library, always the same ones. */
function usualSimilarity(vectors: readonly Float32Array[]): number {
  if (vectors.length < 2) return 0.75;
  const found = Array.from({ length: Math.min(pairs, vectors.length * (vectors.length - 1)) }, (_, turn) => {
    const one = turn % vectors.length;
    const other = (one + 1 + ((turn * 7_919) % (vectors.length - 1))) % vectors.length;
    return product(vectors[one]!, vectors[other]!);
  });
  return Math.max(0, upperMedian(found)!);
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}
