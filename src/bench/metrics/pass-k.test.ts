import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passK } from './pass-k.ts';

const choose = (from: number, k: number): number => (k === 0 ? 1 : k > from ? 0 : (choose(from - 1, k - 1) * from) / k);

test('pass^k is the mean of C(right, k) / C(runs, k): 4, 2 and 0 of 4 repeats right', () => {
  const items = [4, 2, 0].map((right) => ({ right, runs: 4 }));
  expect([1, 2, 3, 4].map((k) => passK(items, k))).toEqual([
    1.5 / 3,
    expect.closeTo((1 + 1 / 6) / 3, 12),
    1 / 3,
    1 / 3,
  ]);
});

test('an item with fewer than k repeats says nothing about k', () => {
  expect(
    passK(
      [
        { right: 1, runs: 1 },
        { right: 1, runs: 2 },
      ],
      2,
    ),
  ).toBe(0);
  expect([passK([{ right: 1, runs: 1 }], 2), passK([], 1)]).toEqual([null, null]);
});

test(
  'pass^k is what the binomials say, and falls with k from accuracy to the share of items that are always ' + 'right',
  () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.nat(8), { minLength: 1, maxLength: 20 }),
        (runs, rights) => {
          const items = rights.map((right) => ({ runs, right: Math.min(right, runs) }));
          const values = Array.from({ length: runs }, (_, index) => passK(items, index + 1)!);
          values.forEach((value, index) => {
            expect(value).toBeCloseTo(
              items.reduce((sum, { right }) => sum + choose(right, index + 1) / choose(runs, index + 1), 0) /
                items.length,
              9,
            );
            if (index > 0) expect(value).toBeLessThanOrEqual(values[index - 1]! + 1e-12);
          });
          expect(values.at(-1)).toBeCloseTo(items.filter(({ right }) => right === runs).length / items.length, 12);
        },
      ),
    );
  },
);
