import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootstrapInterval } from './bootstrap.ts';
import { quantile } from './quantile.ts';

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

  test('is null without items, and where the statistic is not always defined', () => {
    expect(bootstrapInterval([], mean)).toBeNull();
    expect(bootstrapInterval([0, 1], (sample) => (sample.includes(1) ? 1 : null))).toBeNull();
  });
});

describe('a quantile', () => {
  test('is the value at the nearest rank', () => {
    expect([0, 0.5, 0.51, 0.95, 1].map((share) => quantile([40, 10, 30, 20], share))).toEqual([10, 20, 30, 40, 40]);
    expect(quantile([], 0.5)).toBeNull();
  });

  test('is one of the values, and grows with the share', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (values, one, other) => {
        expect(values).toContain(quantile(values, one));
        expect(quantile(values, Math.min(one, other))!).toBeLessThanOrEqual(quantile(values, Math.max(one, other))!);
      }),
    );
  });
});
