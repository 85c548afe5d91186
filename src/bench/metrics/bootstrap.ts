import { quantile } from './quantile.ts';
import { randomNumbers } from './random-numbers.ts';

export type Interval = [number, number];

const resamples = 1_000;

/**
 * The 95 % percentile interval of a statistic over resamples of the items. The draws follow from the number of items
 * alone: the same data gives the same interval, and two systems over the same items are resampled alike. Null when
 * the statistic is not defined on some of the resamples.
 */
export function bootstrapInterval<Item>(items: readonly Item[], statistic: (sample: readonly Item[]) => number | null): Interval | null {
  if (items.length === 0) return null;
  const random = randomNumbers(items.length);
  const values: number[] = [];
  for (let draw = 0; draw < resamples; draw++) {
    const value = statistic(items.map(() => items[Math.floor(random() * items.length)]!));
    if (value === null) return null;
    values.push(value);
  }
  return [quantile(values, 0.025)!, quantile(values, 0.975)!];
}
