import fc from 'fast-check';
import { expect, test } from 'vitest';
import { benjaminiHochberg, holm } from './corrections.ts';

const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12));

test("Holm's correction multiplies the smallest by all tests, the next by one less, and never falls", () => {
  // By hand: 0.005 · 4, 0.01 · 3, 0.03 · 2, and 0.04 · 1, which is not below 0.06.
  expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual(close([0.03, 0.06, 0.06, 0.02]));
  // R: p.adjust(c(.01, .02, .03, .04, .05), "holm").
  expect(holm([0.01, 0.02, 0.03, 0.04, 0.05])).toEqual(close([0.05, 0.08, 0.09, 0.09, 0.09]));
});

test("Benjamini and Hochberg's divides by the rank, from the largest down", () => {
  // By hand: 0.04 · 4 / 4, 0.03 · 4 / 3, 0.01 · 4 / 2, 0.005 · 4 / 1.
  expect(benjaminiHochberg([0.01, 0.04, 0.03, 0.005])).toEqual(close([0.02, 0.04, 0.04, 0.02]));
  // R: p.adjust(c(.01, .02, .03, .04, .05), "BH").
  expect(benjaminiHochberg([0.01, 0.02, 0.03, 0.04, 0.05])).toEqual(close([0.05, 0.05, 0.05, 0.05, 0.05]));
});

test('what is no test is no part of the family', () => {
  expect([holm([null, 0.02, null]), benjaminiHochberg([0.02, null]), holm([]), holm([null])]).toEqual([
    [null, 0.02, null],
    [0.02, null],
    [],
    [null],
  ]);
});

test(
  'a corrected p is a probability that is never below the raw one; Holm is the more cautious; the order of p ' +
    'stays',
  () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 15 }), (tests) => {
        const [cautious, bold] = [holm(tests) as number[], benjaminiHochberg(tests) as number[]];
        tests.forEach((p, test) => {
          expect(bold[test]!).toBeGreaterThanOrEqual(p - 1e-12);
          expect(cautious[test]!).toBeGreaterThanOrEqual(bold[test]! - 1e-12);
          expect(cautious[test]!).toBeLessThanOrEqual(1);
          tests.forEach((other, rank) => {
            if (p < other) expect(cautious[test]! <= cautious[rank]! && bold[test]! <= bold[rank]!).toBe(true);
          });
        });
      }),
    );
  },
);
