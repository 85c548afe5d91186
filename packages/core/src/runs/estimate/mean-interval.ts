import { meanOf, randomNumbers } from '@agonhq/engine/statistics';

/** What is expected, and between what it lies with 95 % confidence. */
export interface Expected {
  expected: number;
  low: number;
  high: number;
}

const resamples = 1_000;

/**
 * The mean over a population of which some values were drawn: a bootstrap interval, narrower the more of them were
 * drawn.
 */
export function meanInterval(values: readonly number[], population: number, seed: number): Expected {
  if (values.length === 0) return { expected: 0, low: 0, high: 0 };
  const random = randomNumbers(seed);
  const means = Array.from({ length: resamples }, () =>
    meanOf(values.map(() => values[Math.floor(random() * values.length)]!))!,
  ).toSorted((a, b) => a - b);
  const expected = meanOf(values)!;
  const drawnFrom = Math.sqrt(Math.max(0, 1 - values.length / population));
  const at = (rank: number) => expected + (means[rank]! - expected) * drawnFrom;
  return { expected, low: at(resamples * 0.025 - 1), high: at(resamples * 0.975 - 1) };
}

export function scaleExpected({ expected, low, high }: Expected, factor: number): Expected {
  return { expected: expected * factor, low: low * factor, high: high * factor };
}
