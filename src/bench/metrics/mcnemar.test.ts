import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mcnemarExact, mcnemarMidP } from './mcnemar.ts';

test('McNemar’s tests of 1 and 7 are those of Fagerland, Lydersen and Laake (2013), on the airways of 21 children', () => {
  expect(mcnemarExact(1, 7)).toBeCloseTo(18 / 256, 12);
  expect(mcnemarMidP(1, 7)).toBeCloseTo(10 / 256, 12);
});

test('the mid-p of an even split takes off half of its chance', () => {
  expect(mcnemarMidP(2, 2)).toBeCloseTo(1 - 6 / 16 / 2, 12);
});

test('no change is no evidence', () => {
  expect([mcnemarExact(0, 0), mcnemarMidP(0, 0)]).toEqual([1, 1]);
});

test('mid-p is a probability below the exact one, the same both ways round', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), (one, other) => {
      const midP = mcnemarMidP(one, other);
      expect(midP).toBeLessThanOrEqual(mcnemarExact(one, other) + 1e-12);
      expect(midP).toBeGreaterThan(0);
      expect(mcnemarMidP(other, one)).toBe(midP);
    }),
  );
});
