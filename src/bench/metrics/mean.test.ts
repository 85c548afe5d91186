import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meanOf, standardDeviation } from './mean.ts';

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
