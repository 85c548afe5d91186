import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bootstrapInterval,
  bootstrapStatistics,
  drawResamples,
  estimateFrom,
  pairedDifference,
  resampleCount,
  type Resamples,
  type ResampleWeights,
} from './bootstrap.ts';
import type { Interval } from './binomial.ts';
import { wilsonInterval } from './binomial.ts';
import { randomNumbers } from './random.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a bootstrap interval', () => {
  const coin = Array.from({ length: 400 }, (_, index) => Number(index < 300));

  test('is as wide as theory has it: 0.75 ± 1.96 standard errors over 400 items', () => {
    const [low, high] = bootstrapInterval(coin, mean)!;
    const error = Math.sqrt((0.75 * 0.25) / 400);
    expect(low).toBeCloseTo(0.75 - 1.96 * error, 1.7);
    expect(high).toBeCloseTo(0.75 + 1.96 * error, 1.7);
  });

  test('is the same every time', () => {
    expect(bootstrapInterval(coin, mean)).toEqual(bootstrapInterval(coin, mean));
  });

  test('holds what it is an interval of, for the mean of any items', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 5, maxLength: 60 }), (items) => {
        const [low, high] = bootstrapInterval(items, mean)!;
        expect(low).toBeLessThanOrEqual(mean(items));
        expect(high).toBeGreaterThanOrEqual(mean(items));
      }),
      { numRuns: 20 },
    );
  });

  test('of items that are all right or all wrong is Wilson’s: four right ones prove little', () => {
    expect(bootstrapInterval([1, 1, 1, 1], mean)).toEqual(wilsonInterval(4, 4));
    expect(bootstrapInterval([0, 0, 0, 0], mean)).toEqual(wilsonInterval(0, 4));
    expect(wilsonInterval(4, 4)![0]).toBeCloseTo(0.51, 2);
    expect(
      estimateFrom(
        bootstrapStatistics(drawResamples(), 4, () => ({ share: 1 })),
        'share',
        2,
      ).interval,
    ).toEqual(wilsonInterval(2, 2));
  });

  test('is null without items, and where the statistic is not always defined', () => {
    expect(bootstrapInterval([], mean)).toBeNull();
    expect(bootstrapInterval([0, 1], (sample) => (sample.includes(1) ? 1 : null))).toBeNull();
  });
});

/** The share of right items of a sample. */
function shareRight(judged: readonly boolean[]): (weights: ResampleWeights) => { share: number | null } {
  const right = Uint8Array.from(judged, Number);
  return (weights) => {
    let count = 0;
    for (let item = 0; item < right.length; item++) count += right[item]! * weights[item]!;
    return { share: right.length === 0 ? null : count / right.length };
  };
}

describe('intervals over simulated samples of a known world hold what is true about as often as they say', () => {
  const [samples, items] = [500, 100];
  const resamples = drawResamples();
  const random = randomNumbers(1);
  /** Both systems judge the same items: hard ones are hard for both. */
  const worlds = Array.from({ length: samples }, () => {
    const hard = Array.from({ length: items }, () => random() < 0.3);
    const judged = (onEasy: number, onHard: number) => hard.map((isHard) => random() < (isHard ? onHard : onEasy));
    return [judged(0.88, 0.4), judged(0.8, 0.4)].map((right) =>
      bootstrapStatistics(resamples, items, shareRight(right)),
    );
  });
  const coverage = (truth: number, intervals: readonly (Interval | null)[]) =>
    intervals.filter((interval) => interval && interval[0] <= truth + 1e-12 && truth - 1e-12 <= interval[1]).length /
    samples;

  test('that of an accuracy', () => {
    const covered = coverage(
      0.7 * 0.88 + 0.3 * 0.4,
      worlds.map(([first]) => estimateFrom(first!, 'share').interval),
    );
    expect(covered).toBeGreaterThan(0.92);
    expect(covered).toBeLessThan(0.975);
  });

  test('that of a paired difference', () => {
    const covered = coverage(
      0.7 * 0.08,
      worlds.map(([first, second]) => pairedDifference(first!, second!, 'share').difference.interval),
    );
    expect(covered).toBeGreaterThan(0.92);
    expect(covered).toBeLessThan(0.975);
  });

  test('and where neither is better, the paired test says so in all but about 5 % of cases', () => {
    const same = Array.from({ length: samples }, () =>
      [0, 1].map(() =>
        bootstrapStatistics(resamples, items, shareRight(Array.from({ length: items }, () => random() < 0.7))),
      ),
    );
    const found =
      same.filter(([first, second]) => pairedDifference(first!, second!, 'share').p! < 0.05).length / samples;
    expect(found).toBeGreaterThan(0.02);
    expect(found).toBeLessThan(0.09);
  });
});

describe('a paired difference', () => {
  const resamples = drawResamples();
  const of = (right: readonly boolean[]) => bootstrapStatistics(resamples, right.length, shareRight(right));

  test('is nought between two that never differ, as surely as there are items', () => {
    const system = of([true, false, true, true]);
    const most = wilsonInterval(0, 4)![1];
    expect(pairedDifference(system, system, 'share')).toEqual({
      difference: { value: 0, interval: [-most, most] },
      p: 1,
    });
  });

  test('of three items proves nothing, though every resample agrees', () => {
    expect(pairedDifference(of([true, true, true]), of([false, false, false]), 'share')).toEqual({
      difference: { value: 1, interval: [2 * wilsonInterval(3, 3)![0] - 1, 1] },
      p: 0.25,
    });
  });

  test('is null of nothing', () => {
    expect(pairedDifference(of([]), of([]), 'share')).toEqual({ difference: { value: null, interval: null }, p: null });
  });
});

function drawn(resamples: Resamples, items: number): number[][] {
  const all: number[][] = [];
  resamples(items, (weights) => all.push([...weights]));
  return all;
}

test('every resample draws as many items as there are', () => {
  const all = drawn(drawResamples(), 7);
  expect(all).toHaveLength(resampleCount);
  expect(all.every((weights) => weights.reduce((sum, weight) => sum + weight, 0) === 7)).toBe(true);
});

test('draws follow from the number of items and the seed, and are the same the second time', () => {
  const resamples = drawResamples(2);
  expect(drawn(resamples, 9)).toEqual(drawn(resamples, 9));
  expect(drawn(resamples, 9)).toEqual(drawn(drawResamples(2), 9));
  expect(drawn(drawResamples(1), 9)).toEqual(drawn(drawResamples(), 9));
  expect(drawn(drawResamples(1), 9)).not.toEqual(drawn(drawResamples(2), 9));
});

test('draws that are too many to be kept are drawn again, the same', () => {
  const forgetful = drawResamples(1, 0);
  expect(drawn(forgetful, 9)).toEqual(drawn(drawResamples(), 9));
  expect(drawn(forgetful, 9)).toEqual(drawn(drawResamples(), 9));
});

test('nothing is drawn of nothing', () => {
  expect(drawn(drawResamples(), 0)).toEqual([]);
});
