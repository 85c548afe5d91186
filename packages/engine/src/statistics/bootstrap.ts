import { mcnemarExact, wilsonInterval } from './binomial.ts';
import type { Estimate, Interval } from './binomial.ts';
import { quantiles } from './summaries.ts';
import { randomNumbers } from './random.ts';

/**
 * The 95 % percentile interval of a statistic over resamples of the items. The draws follow from the number of items
 * alone: the same data gives the same interval, and two systems over the same items are resampled alike. Null when
 * the statistic is not defined on some of the resamples. `differs` says that it is a difference of shares, not a share.
 */
export function bootstrapInterval<Item>(
  items: readonly Item[],
  statistic: (sample: readonly Item[]) => number | null,
  differs = false,
): Interval | null {
  if (items.length === 0) return null;
  const random = drawsFor(items.length, 1);
  const values: number[] = [];
  for (let draw = 0; draw < resampleCount; draw++) {
    const value = statistic(items.map(() => items[Math.floor(random() * items.length)]!));
    if (value === null) return null;
    values.push(value);
  }
  return intervalOf(values, items.length, differs);
}

/** Statistics of a set of items, and of each of its resamples. */
export interface Bootstrapped<Name extends string> {
  value: Readonly<Record<Name, number | null>>;
  draws: readonly Readonly<Record<Name, number | null>>[];
  items: number;
}

/** Several statistics over the same resamples; each is a function of how often every item was drawn. */
export function bootstrapStatistics<Name extends string>(
  resamples: Resamples,
  items: number,
  statistics: (weights: ResampleWeights) => Readonly<Record<Name, number | null>>,
): Bootstrapped<Name> {
  const draws: Readonly<Record<Name, number | null>>[] = [];
  resamples(items, (weights) => draws.push(statistics(weights)));
  return { value: statistics(countEachOnce(items)), draws, items };
}

/** `of` says how many of the items a share counts, where that is not all of them. */
export function estimateFrom<Name extends string>(
  { value, draws, items }: Bootstrapped<Name>,
  name: Name,
  of: number = items,
): Estimate {
  const drawn = draws.map((draw) => draw[name]);
  return { value: value[name], interval: intervalOf(drawn, of) };
}

/**
 * By how much a statistic of one system exceeds another's over the same resamples, and how likely so much is when
 * neither is better.
 */
export function pairedDifference<Name extends string>(
  first: Bootstrapped<Name>,
  second: Bootstrapped<Name>,
  name: Name,
): { difference: Estimate; p: number | null } {
  const differences = first.draws.map((draw, index) => minus(draw[name], second.draws[index]?.[name] ?? null));
  return {
    difference: {
      value: minus(first.value[name], second.value[name]),
      interval: intervalOf(differences, first.items, true),
    },
    p: twoSided(differences, first.items),
  };
}

/**
 * Twice the share of resamples on the rarer side of zero, zero itself on both; the data counts as one of them, so
 * that it is never nought. What every resample gives alike is tested by its items.
 */
function twoSided(differences: readonly (number | null)[], items: number): number | null {
  if (differences.length === 0 || differences.includes(null)) return null;
  if (isCertain(differences)) return differences[0] === 0 ? 1 : mcnemarExact(0, items);
  const below = differences.filter((difference) => difference! <= 0).length;
  const above = differences.filter((difference) => difference! >= 0).length;
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (differences.length + 1));
}

function intervalOf(values: readonly (number | null)[], items: number, differs = false): Interval | null {
  if (values.length === 0 || values.includes(null)) return null;
  const [low, high] = quantiles(values as number[], [0.025, 0.975]);
  return isCertain(values) ? intervalOfCertain(low!, items, differs) : [low!, high!];
}

function isCertain(values: readonly (number | null)[]): boolean {
  return values.every((value) => value === values[0]);
}

/**
 * Of items that are all alike every resample says the same, however few they are: what is all right, all wrong or
 * nowhere different takes Wilson's interval.
 */
function intervalOfCertain(value: number, items: number, differs: boolean): Interval | null {
  if (![0, 1].includes(Math.abs(value))) return [value, value];
  const share = wilsonInterval(Math.abs(value) * items, items);
  if (!share || !differs) return share;
  const [low, high] = share;
  if (value === 0) return [-high, high];
  return value > 0 ? [2 * low - 1, 1] : [-1, 1 - 2 * low];
}

function minus(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one - other;
}

/** How often each item was drawn. */
export type ResampleWeights = Uint16Array;

/** Shows every resample of so many items. The weights are to be read at once, not kept. */
export type Resamples = (items: number, visit: (weights: ResampleWeights) => void) => void;

export const resampleCount = 1_000;

/**
 * Resamples whose draws follow from the number of items and the seed alone: the same data gives the same intervals, and
 * systems over the same items are resampled alike. They are kept for the next who asks, unless they are more than
 * `kept` items.
 */
export function drawResamples(seed = 1, kept = 20_000_000): Resamples {
  const drawn = new Map<number, ResampleWeights>();
  return (items, visit) => {
    if (items === 0) return;
    const known = drawn.get(items);
    if (known) {
      for (let draw = 0; draw < resampleCount; draw++) visit(known.subarray(draw * items, (draw + 1) * items));
      return;
    }
    const keeps = items * resampleCount <= kept;
    const all = new Uint16Array(keeps ? items * resampleCount : items);
    const random = drawsFor(items, seed);
    for (let draw = 0; draw < resampleCount; draw++) {
      const weights = keeps ? all.subarray(draw * items, (draw + 1) * items) : all.fill(0);
      for (let item = 0; item < items; item++) weights[Math.floor(random() * items)]! += 1;
      visit(weights);
    }
    if (keeps) drawn.set(items, all);
  };
}

/** The lots of so many items; of the first seed they follow from their number alone. */
function drawsFor(items: number, seed: number): () => number {
  return randomNumbers(items + Math.imul(seed - 1, 0x9e3779b1));
}

/** The items as they are: every one once. */
export function countEachOnce(items: number): ResampleWeights {
  return new Uint16Array(items).fill(1);
}
