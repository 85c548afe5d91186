import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  binomialCdf,
  clopperPearson,
  exactUpperBound,
  holmCorrection,
  mcnemarExact,
  wilsonInterval,
} from './binomial.ts';

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

describe('the interval of Clopper and Pearson', () => {
  test('is the one of the tables', () => {
    const shown = (interval: readonly [number, number]) => interval.map((share) => share.toFixed(5));
    expect(shown(clopperPearson(0, 10))).toEqual(['0.00000', '0.30850']);
    expect(shown(clopperPearson(1, 10))).toEqual(['0.00253', '0.44502']);
    expect(shown(clopperPearson(5, 10))).toEqual(['0.18709', '0.81291']);
    expect(shown(clopperPearson(10, 10))).toEqual(['0.69150', '1.00000']);
    expect(shown(clopperPearson(0, 100, 0.9))).toEqual(['0.00000', '0.02951']);
  });

  test('says nothing where nothing was seen', () => {
    expect(clopperPearson(0, 0)).toEqual([0, 1]);
  });

  test('holds the share that was seen, narrows with more of the same, and is mirrored for the opposite', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.double({ min: 0, max: 1, noNaN: true }), (number, part) => {
        const wrong = Math.round(part * number);
        const [low, high] = clopperPearson(wrong, number);
        expect(low).toBeLessThanOrEqual(wrong / number);
        expect(high).toBeGreaterThanOrEqual(wrong / number);
        const [lowOfMore, highOfMore] = clopperPearson(10 * wrong, 10 * number);
        expect(highOfMore - lowOfMore).toBeLessThan(high - low);
        const [mirroredLow, mirroredHigh] = clopperPearson(number - wrong, number);
        expect(mirroredLow).toBeCloseTo(1 - high, 9);
        expect(mirroredHigh).toBeCloseTo(1 - low, 9);
      }),
      { numRuns: 50 },
    );
  });

  test('holds for a hundred thousand items', () => {
    const [low, high] = clopperPearson(2_000, 100_000);
    expect(low).toBeCloseTo(0.01914, 4);
    expect(high).toBeCloseTo(0.02089, 4);
  });
});

describe("McNemar's exact test", () => {
  test('is the one of the tables', () => {
    expect(mcnemarExact(0, 0)).toBe(1);
    expect(mcnemarExact(5, 5)).toBe(1);
    expect(mcnemarExact(0, 5)).toBeCloseTo(0.0625, 10);
    expect(mcnemarExact(1, 9)).toBeCloseTo(0.021484375, 10);
    expect(mcnemarExact(9, 1)).toBe(mcnemarExact(1, 9));
    // Fagerland, Lydersen and Laake (2013), on the airways of 21 children.
    expect(mcnemarExact(1, 7)).toBeCloseTo(18 / 256, 12);
  });

  test('stays a probability for many changes', () => {
    expect(mcnemarExact(50_000, 50_400)).toBeCloseTo(0.2079, 3);
    expect(mcnemarExact(40_000, 60_000)).toBeLessThan(1e-300);
  });
});

test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])(
  'the Wilson interval of %i in %i is that of Newcombe’s table (Statistics in Medicine 17, 1998, method 3)',
  (count, total, low, high) => {
    expect(wilsonInterval(count, total)!.map((end) => end.toFixed(4))).toEqual([low.toFixed(4), high.toFixed(4)]);
  },
);

test('of 0 in 10 it ends at z² / (10 + z²), and of 5 in 10 it is even: by hand', () => {
  expect(wilsonInterval(0, 10)).toEqual([0, expect.closeTo(3.8414588206941236 / 13.8414588206941236, 9)]);
  const [low, high] = wilsonInterval(5, 10)!;
  expect(low + high).toBeCloseTo(1, 12);
  expect(high - low).toBeCloseTo(1.959963984540054 / Math.sqrt(10 + 3.8414588206941236), 9);
});

test('its ends are the shares from which the one that was seen is 1.96 standard errors away', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (total, some) => {
      const count = Math.min(some, total);
      for (const end of wilsonInterval(count, total)!) {
        if (end === 0 || end === 1) continue;
        expect(Math.abs(end - count / total) / Math.sqrt((end * (1 - end)) / total)).toBeCloseTo(1.959963984540054, 6);
      }
    }),
  );
});

test('nothing seen, nothing said', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});

const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12));

test("Holm's correction multiplies the smallest by all tests, the next by one less, and never falls", () => {
  // By hand: 0.005 · 4, 0.01 · 3, 0.03 · 2, and 0.04 · 1, which is not below 0.06.
  expect(holmCorrection([0.01, 0.04, 0.03, 0.005])).toEqual(close([0.03, 0.06, 0.06, 0.02]));
  // R: p.adjust(c(.01, .02, .03, .04, .05), "holm").
  expect(holmCorrection([0.01, 0.02, 0.03, 0.04, 0.05])).toEqual(close([0.05, 0.08, 0.09, 0.09, 0.09]));
});

test('what is no test is no part of the family', () => {
  expect([holmCorrection([null, 0.02, null]), holmCorrection([]), holmCorrection([null])]).toEqual([
    [null, 0.02, null],
    [],
    [null],
  ]);
});

test('a corrected p is a probability that is never below the raw one, and the order of p stays', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 15 }), (tests) => {
      const corrected = holmCorrection(tests) as number[];
      tests.forEach((p, test) => {
        expect(corrected[test]!).toBeGreaterThanOrEqual(p - 1e-12);
        expect(corrected[test]!).toBeLessThanOrEqual(1);
        tests.forEach((other, rank) => {
          if (p < other) expect(corrected[test]!).toBeLessThanOrEqual(corrected[rank]!);
        });
      });
    }),
  );
});
