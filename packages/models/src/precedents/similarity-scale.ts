import { similarityTo } from '@agonhq/engine/text/similarity';
import { meanOf, upperMedian } from '@agonhq/engine/statistics';

/**
 * How the bare product of two vectors becomes a similarity that means something: 0 for two texts that have nothing to
 * do with each other, 1 for the same; and from which similarity on a case is alike, or may be a copy.
 */
export interface SimilarityScale {
  /** The product that two texts have which have nothing to do with each other. */
  background: number;
  /** Below this a case is not alike. */
  least: number;
  /** From here on it may be a copy. */
  copy: number;
  /** How much another modality counts against a case. */
  otherModality: number;
}

/** What an embedder knows of its own scale; the rest is found out from the library. */
export interface KnownScale {
  background?: number | undefined;
  least?: number | undefined;
}

const pairs = 2_000;
const copy = 0.86;
const otherModality = 0.12;
/** Where nobody fitted a bar, it stands so many deviations above what two cases of the library usually have. */
const deviations = 4;
const leastAtLeast = 0.2;
const leastAtMost = 0.6;
/** So few cases say nothing of what chance does. */
const fewCases = 50;

/**
 * The scale of whatever model made the vectors. Models differ in how alike they find things that have nothing to do
 * with each other (some at .75, others at .1), and in how much that varies: a library of decided cases, most of them
 * about different things, shows both.
 */
export function findScale(vectors: readonly Float32Array[], known: KnownScale = {}): SimilarityScale {
  if (known.background !== undefined && known.least !== undefined)
    return { background: known.background, least: known.least, copy, otherModality };
  const found = productsOf(vectors);
  const background = known.background ?? usualProduct(found);
  // Half of the pairs lie below the background: the others tell how far above it chance reaches.
  const above = found.map((product) => onScale({ background }, product)).filter((similarity) => similarity > 0);
  const spread = Math.sqrt(meanOf(above.map((similarity) => similarity ** 2)) ?? 0);
  const least =
    vectors.length < fewCases ? leastAtLeast : Math.min(leastAtMost, Math.max(leastAtLeast, deviations * spread));
  return { background, least: known.least ?? least, copy, otherModality };
}

/** A product as a similarity. Below the background it is negative: less alike than any two texts. */
export function onScale({ background }: Pick<SimilarityScale, 'background'>, product: number): number {
  return (product - background) / (1 - background);
}

/** The product that a similarity stands for. */
export function fromScale({ background }: Pick<SimilarityScale, 'background'>, similarity: number): number {
  return background + similarity * (1 - background);
}

/** Products over pairs that lie far apart in the library, always the same ones. */
function productsOf(vectors: readonly Float32Array[]): number[] {
  if (vectors.length < 2) return [];
  return Array.from({ length: Math.min(pairs, vectors.length * (vectors.length - 1)) }, (_, turn) => {
    const one = turn % vectors.length;
    const other = (one + 1 + ((turn * 7_919) % (vectors.length - 1))) % vectors.length;
    return similarityTo([vectors[one]!])(vectors[other]!)[0]!;
  });
}

/** The median; of a library with one case or none nothing is known, and products are taken as they are. */
function usualProduct(products: readonly number[]): number {
  return Math.min(0.99, Math.max(0, upperMedian(products) ?? 0));
}
