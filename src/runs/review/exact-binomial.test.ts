import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clopperPearson, mcnemarExact } from './exact-binomial.ts';

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
  });

  test('stays a probability for many changes', () => {
    expect(mcnemarExact(50_000, 50_400)).toBeCloseTo(0.2079, 3);
    expect(mcnemarExact(40_000, 60_000)).toBeLessThan(1e-300);
  });
});
