import { expect, test } from 'vitest';
import { resampleCount, resamplesOf, type Resamples } from './resamples.ts';

function drawn(resamples: Resamples, items: number): number[][] {
  const all: number[][] = [];
  resamples(items, (weights) => all.push([...weights]));
  return all;
}

test('every resample draws as many items as there are', () => {
  const all = drawn(resamplesOf(), 7);
  expect(all).toHaveLength(resampleCount);
  expect(all.every((weights) => weights.reduce((sum, weight) => sum + weight, 0) === 7)).toBe(true);
});

test('draws follow from the number of items and the seed, and are the same the second time', () => {
  const resamples = resamplesOf(2);
  expect(drawn(resamples, 9)).toEqual(drawn(resamples, 9));
  expect(drawn(resamples, 9)).toEqual(drawn(resamplesOf(2), 9));
  expect(drawn(resamplesOf(1), 9)).toEqual(drawn(resamplesOf(), 9));
  expect(drawn(resamplesOf(1), 9)).not.toEqual(drawn(resamplesOf(2), 9));
});

test('draws that are too many to be kept are drawn again, the same', () => {
  const forgetful = resamplesOf(1, 0);
  expect(drawn(forgetful, 9)).toEqual(drawn(resamplesOf(), 9));
  expect(drawn(forgetful, 9)).toEqual(drawn(resamplesOf(), 9));
});

test('nothing is drawn of nothing', () => {
  expect(drawn(resamplesOf(), 0)).toEqual([]);
});
