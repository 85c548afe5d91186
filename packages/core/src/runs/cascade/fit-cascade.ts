import type { CascadeBounds } from './read-cascade.ts';
import { binomialCdf, exactUpperBound, randomNumbers } from '@agonhq/engine/statistics';

/** What the first tier said of a labelled item; null where it never decides. */
export interface ScoredItem {
  score: number | null;
  label: 'safe' | 'unsafe';
}

export interface FitOptions {
  /** At most this share of the decided items may be wrong … */
  risk?: number;
  /** … with this confidence. */
  confidence?: number;
}

/**
 * How many items a band decides, how many of them wrongly, and the exact upper bound of its risk at the level of its
 * test.
 */
export interface BandFigures {
  decided: number;
  wrong: number;
  bound: number;
}

/** A band, or why no band of this risk exists on this data. */
export type CascadeFit =
  | {
      band: CascadeBounds & BandFigures & { sides: Record<'safe' | 'unsafe', Omit<BandFigures, 'bound'>> };
      items: number;
    }
  | {
      band: null;
      items: number;
      /**
       * `too-few`: not even a guard without a mistake could show it on so few items. `too-risky`: it makes too many
       * mistakes, or there is too little data to tell.
       */
      reason: 'too-few' | 'too-risky';
      /**
       * About so many items would do if the guard were wrong as often as here (for `too-few`: never); null when it is
       * wrong too often for any number.
       */
      needed: number | null;
      /** The candidate with the lowest bound. */
      closest: BandFigures | null;
    };

/**
 * How far the unsafe side reaches when the safe side reaches by one: none, a quarter, as far, four times, and the
 * unsafe side alone. Fixed before any data is seen; powers of two, so that bounds are exact.
 */
const reaches = [0, 1 / 4, 1, 4, Infinity];

/**
 * Where a sequence starts: with so many of the clearest items that so many mistakes among them can be borne. One
 * mistake ends the first at once.
 */
const starts = [0, 3, 12];

/**
 * Chooses what the guard may decide alone. Candidates are nested bands, from the clearest items on; each is tested
 * with an exact binomial bound, and a sequence ends with the first that fails (Learn Then Test, fixed-sequence
 * testing). The sequences share the error probability. docs/decisions/0019-cascade.md says why the promise holds for
 * finite samples.
 *
 * @example fitCascade([{ score: 0.02, label: 'safe' }, …], { risk: 0.05, confidence: 0.95 })
 */
export function fitCascade(
  items: readonly ScoredItem[],
  { risk = 0.05, confidence = 0.95 }: FitOptions = {},
): CascadeFit {
  const level = (1 - confidence) / (reaches.length * starts.length);
  const judged = items.filter((item): item is ScoredItem & { score: number } => item.score !== null);
  const tolerated = toleratedMistakes(judged.length, risk, level);
  const least = tolerated.indexOf(0);
  const fewest = leastItems(risk, level);
  if (least === -1)
    return {
      band: null,
      items: items.length,
      reason: 'too-few',
      needed: Math.ceil((fewest * items.length) / Math.max(judged.length, 1)),
      closest: null,
    };

  const sequences = reaches.map((reach) => sequenceOf(judged, reach));
  const passed = sequences.flatMap((sequence) => {
    const last = lastPassed(sequence, tolerated);
    return last === 0 ? [] : [{ sequence, last }];
  });
  const [most] = passed.toSorted((a, b) => b.last - a.last || skewOf(a.sequence) - skewOf(b.sequence));
  if (!most) return refused(sequences, tolerated, { items: items.length, risk, level });
  const bounds = boundsOf(most.sequence, most.last);
  const counted = (side: 'safe' | 'unsafe') => {
    const decided = judged.filter(({ score }) => findSide(bounds, score) === side);
    return { decided: decided.length, wrong: decided.filter(({ label }) => label !== side).length };
  };
  return {
    items: items.length,
    band: {
      ...bounds,
      ...figuresOf(most.sequence, most.last, level),
      sides: { safe: counted('safe'), unsafe: counted('unsafe') },
    },
  };
}

/** Which side of the band a score lies on; null between its bounds. */
export function findSide({ safeUpTo, unsafeFrom }: CascadeBounds, score: number): 'safe' | 'unsafe' | null {
  if (safeUpTo !== null && score <= safeUpTo) return 'safe';
  return unsafeFrom !== null && score >= unsafeFrom ? 'unsafe' : null;
}

interface Sequence {
  reach: number;
  /** How far from the clear end the items lie, ascending. */
  depths: readonly number[];
  /** By number of items: how many of the first so many are wrong. */
  wrong: readonly number[];
}

/** The items that a family of bands could decide, the clearest first; each band is the beginning of this order. */
function sequenceOf(items: readonly (ScoredItem & { score: number })[], reach: number): Sequence {
  const random = randomNumbers(1);
  const order = items
    .map(({ score, label }) => ({
      depth: depthOf(score, reach),
      mistaken: label !== (score < 0.5 ? 'safe' : 'unsafe'),
      lot: random(),
    }))
    .filter(({ depth }) => depth < Infinity)
    // Equals in an order that knows nothing of labels, however the data was sorted.
    .toSorted((a, b) => a.depth - b.depth || a.lot - b.lot);
  const wrong = [0];
  for (const { mistaken } of order) wrong.push(wrong.at(-1)! + (mistaken ? 1 : 0));
  return { reach, depths: order.map(({ depth }) => depth), wrong };
}

/** How unlike the two sides are treated: of bands that decide as much, the evenest is taken. */
function skewOf({ reach }: Sequence): number {
  return Math.abs(Math.log(reach));
}

function depthOf(score: number, reach: number): number {
  if (score < 0.5) return reach === Infinity ? Infinity : score;
  if (reach === 0) return Infinity;
  return reach === Infinity ? 1 - score : (1 - score) / reach;
}

/**
 * The number of items of the largest band that some start reaches with every test on its way passed; 0 when none
 * does.
 */
function lastPassed({ depths, wrong }: Sequence, tolerated: readonly number[]): number {
  let last = 0;
  for (const start of starts.map((mistakes) => startOf(mistakes, depths.length, tolerated))) {
    for (let count = start; count <= depths.length && wrong[count]! <= tolerated[count]!; count += 1) {
      // Items with one score are decided together, or not at all.
      if (depths[count] !== depths[count - 1]) last = Math.max(last, count);
    }
  }
  return last;
}

/** A sequence that is too short for a start is tested whole. */
function startOf(mistakes: number, length: number, tolerated: readonly number[]): number {
  const start = tolerated.indexOf(mistakes);
  return start === -1 ? length : Math.min(start, length);
}

function boundsOf({ reach, depths }: Sequence, count: number): CascadeBounds {
  const depth = depths[count - 1]!;
  const below = Math.min(depth, 0.5 - Number.EPSILON);
  const edge = reach === Infinity ? 1 - depth : 1 - depth * reach;
  // 1 − 0.04 rounds to 0.96, but a score of 0.96 lies deeper than 0.04: the next number up is the edge then.
  const above = depthOf(edge, reach) <= depth ? edge : edge + Number.EPSILON / 2;
  return { safeUpTo: reach === Infinity ? null : below, unsafeFrom: reach === 0 ? null : Math.max(above, 0.5) };
}

function figuresOf({ wrong }: Sequence, count: number, level: number): BandFigures {
  return { decided: count, wrong: wrong[count]!, bound: exactUpperBound(wrong[count]!, count, level) };
}

/**
 * By number of items: how many mistakes a band may have among them, −1 when none is few enough. The bound is that of
 * one item less: the last one marks the edge.
 */
function toleratedMistakes(most: number, risk: number, level: number): number[] {
  const tolerated = [-1];
  for (let count = 1; count <= most; count += 1) {
    const before = tolerated[count - 1]!;
    tolerated.push(binomialCdf(before + 1, count - 1, risk) <= level ? before + 1 : before);
  }
  return tolerated;
}

/** So few items, all of them right, show the risk. */
function leastItems(risk: number, level: number): number {
  return Math.ceil(Math.log(level) / Math.log1p(-risk)) + 1;
}

function refused(
  sequences: readonly Sequence[],
  tolerated: readonly number[],
  { items, risk, level }: { items: number; risk: number; level: number },
): CascadeFit {
  const candidates = sequences.flatMap((sequence) =>
    sequence.depths.flatMap((_, index) => {
      const count = index + 1;
      const wrong = sequence.wrong[count]!;
      return tolerated[count]! >= 0 && wrong > tolerated[count]!
        ? [{ sequence, count, about: roughBound(wrong, count) }]
        : [];
    }),
  );
  const lowest = candidates.reduce<(typeof candidates)[number] | null>(
    (best, candidate) => (best === null || candidate.about < best.about ? candidate : best),
    null,
  );
  const closest = lowest && figuresOf(lowest.sequence, lowest.count, level);
  const needed = closest && neededAt(closest.wrong / closest.decided, risk, level);
  return {
    band: null,
    items,
    reason: 'too-risky',
    needed: needed && Math.ceil((needed / closest.decided) * items),
    closest,
  };
}

/** Near enough to the exact bound to tell which candidate has the lowest. */
function roughBound(wrong: number, count: number): number {
  const share = (wrong + 4) / (count + 8);
  return share + 3 * Math.sqrt((share * (1 - share)) / (count + 8));
}

/** How many items would show the risk if this share of them were wrong; null when no number that anybody has would. */
function neededAt(rate: number, risk: number, level: number): number | null {
  const suffices = (count: number) => binomialCdf(Math.ceil(rate * count), count - 1, risk) <= level;
  let high = leastItems(risk, level);
  while (!suffices(high)) {
    if (rate >= risk || high > 1e6) return null;
    high *= 2;
  }
  let low = high / 2;
  while (high - low > high / 50) {
    const middle = Math.ceil((low + high) / 2);
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}
