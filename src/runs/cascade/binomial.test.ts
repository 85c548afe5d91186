import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binomialCdf, exactUpperBound } from './binomial.ts';

/** Term by term, as in a textbook. */
function summed(count: number, trials: number, chance: number): number {
  let term = (1 - chance) ** trials;
  let sum = term;
  for (let hits = 1; hits <= count; hits += 1) {
    term *= ((trials - hits + 1) / hits) * (chance / (1 - chance));
    sum += term;
  }
  return sum;
}

test('the chance of at most so many hits is the sum of its terms', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.001, max: 0.6, noNaN: true }),
      (trials, share, chance) => {
        const count = Math.floor(share * trials);
        expect(binomialCdf(count, trials, chance)).toBeCloseTo(summed(count, trials, chance), 9);
      },
    ),
  );
});

test('the exact bound is the one of the tables', () => {
  // The rule of three, exactly: 59 items without a mistake show 5 % with 95 % confidence.
  expect(exactUpperBound(0, 59, 0.05)).toBeCloseTo(1 - 0.05 ** (1 / 59), 12);
  expect(exactUpperBound(0, 58, 0.05)).toBeGreaterThan(0.05);
  // Clopper and Pearson's two-sided 95 % interval of 2 in 100.
  expect(exactUpperBound(2, 100, 0.025)).toBeCloseTo(0.0704, 4);
  expect(exactUpperBound(7, 7, 0.05)).toBe(1);
});

test('at the bound, so few hits are exactly as unlikely as the level says', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 51, max: 2_000 }),
      fc.double({ min: 0.001, max: 0.2, noNaN: true }),
      (count, trials, level) => {
        expect(binomialCdf(count, trials, exactUpperBound(count, trials, level))).toBeCloseTo(level, 8);
      },
    ),
  );
});
