import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meanOf, quantile, quantilesOfCounts, standardDeviation, tenthOf, upperMedian } from './summaries.ts';

test.each([
  ['PrefixMatch', [76.0, 5.5, 87.0, 56.0], 31.27],
  ['PatternMatch', [30.0, 26.5, 37.5, 47.0], 7.86],
  ['Llama-Guard-3', [91.5, 94.5, 89.0, 86.0], 3.13],
  ['RADAR', [92.0, 99.0, 99.5, 99.0], 3.11],
])('the standard deviation over models is that of the paper’s Table 2: %s', (_evaluator, accuracies, expected) => {
  expect(standardDeviation(accuracies)).toBeCloseTo(expected, 2);
});

test('a mean with a gap is no mean, and neither is one of nothing', () => {
  expect([meanOf([]), meanOf([1, null]), standardDeviation([]), standardDeviation([1, null])]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });

test('the standard deviation is zero for equal values and follows their scale, wherever they lie', () => {
  fc.assert(
    fc.property(
      values,
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: 0, max: 5, noNaN: true }),
      (some, shift, scale) => {
        expect(standardDeviation(some.map(() => shift))).toBeCloseTo(0, 9);
        expect(standardDeviation(some.map((value) => value * scale + shift))!).toBeCloseTo(
          standardDeviation(some)! * scale,
          8,
        );
      },
    ),
  );
});

describe('a quantile', () => {
  test('is the value at the nearest rank', () => {
    expect([0, 0.5, 0.51, 0.95, 1].map((share) => quantile([40, 10, 30, 20], share))).toEqual([10, 20, 30, 40, 40]);
    expect(quantile([], 0.5)).toBeNull();
  });

  test('is one of the values, and grows with the share', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, one, other) => {
          expect(values).toContain(quantile(values, one));
          expect(quantile(values, Math.min(one, other))!).toBeLessThanOrEqual(quantile(values, Math.max(one, other))!);
        },
      ),
    );
  });
});
test('quantiles of counts are those of the values themselves', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9)), fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const counts = new Map([...Map.groupBy(values, (value) => value)].map(([value, own]) => [value, own.length]));
      expect(quantilesOfCounts(counts, [share])).toEqual([quantile(values, share)]);
    }),
  );
});

test('the upper median is the higher of two values in the middle', () => {
  expect([upperMedian([3, 1, 2]), upperMedian([4, 1, 3, 2]), upperMedian([])]).toEqual([2, 3, null]);
});

test('1 is in the last of ten bins, and nothing is outside them', () => {
  expect([-0.1, 0, 0.09, 0.1, 0.95, 1, 1.2].map(tenthOf)).toEqual([0, 0, 0, 1, 9, 9, 9]);
});
