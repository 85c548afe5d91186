import { quantiles } from './quantile.ts';
import { drawsFor, eachOnce, resampleCount, type Resamples, type Weights } from './resamples.ts';

export type Interval = [number, number];

/** A figure with its 95 % interval. */
export interface Estimate {
  value: number | null;
  interval: Interval | null;
}

/**
 * The 95 % percentile interval of a statistic over resamples of the items. The draws follow from the number of items
 * alone: the same data gives the same interval, and two systems over the same items are resampled alike. Null when
 * the statistic is not defined on some of the resamples.
 */
export function bootstrapInterval<Item>(
  items: readonly Item[],
  statistic: (sample: readonly Item[]) => number | null,
  seed = 1,
): Interval | null {
  if (items.length === 0) return null;
  const random = drawsFor(items.length, seed);
  const values: number[] = [];
  for (let draw = 0; draw < resampleCount; draw++) {
    const value = statistic(items.map(() => items[Math.floor(random() * items.length)]!));
    if (value === null) return null;
    values.push(value);
  }
  return percentiles(values);
}

/** Statistics of a set of items, and of each of its resamples. */
export interface Bootstrapped<Name extends string> {
  value: Readonly<Record<Name, number | null>>;
  draws: readonly Readonly<Record<Name, number | null>>[];
}

/** Several statistics over the same resamples; each is a function of how often every item was drawn. */
export function bootstrapped<Name extends string>(
  resamples: Resamples,
  items: number,
  statistics: (weights: Weights) => Readonly<Record<Name, number | null>>,
): Bootstrapped<Name> {
  const draws: Readonly<Record<Name, number | null>>[] = [];
  resamples(items, (weights) => draws.push(statistics(weights)));
  return { value: statistics(eachOnce(items)), draws };
}

export function estimateOf<Name extends string>({ value, draws }: Bootstrapped<Name>, name: Name): Estimate {
  return { value: value[name], interval: intervalOf(draws.map((draw) => draw[name])) };
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
    difference: { value: minus(first.value[name], second.value[name]), interval: intervalOf(differences) },
    p: twoSided(differences),
  };
}

/**
 * Twice the share of resamples on the rarer side of zero, zero itself on both; the data counts as one of them, so
 * that it is never nought.
 */
function twoSided(differences: readonly (number | null)[]): number | null {
  if (differences.length === 0 || differences.includes(null)) return null;
  const below = differences.filter((difference) => difference! <= 0).length;
  const above = differences.filter((difference) => difference! >= 0).length;
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (differences.length + 1));
}

function intervalOf(values: readonly (number | null)[]): Interval | null {
  return values.length === 0 || values.includes(null) ? null : percentiles(values as number[]);
}

function percentiles(values: readonly number[]): Interval {
  const [low, high] = quantiles(values, [0.025, 0.975]);
  return [low!, high!];
}

function minus(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one - other;
}
