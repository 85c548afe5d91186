import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeBackoff, readRetryAfter } from './classify-failure.ts';

describe('retry-after', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Thu, 01 Jan 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%o means %s milliseconds', (headers, expected) => {
    expect(readRetryAfter(headers as Record<string, string>, now)).toBe(expected);
  });
});

describe('the back-off', () => {
  it('doubles, keeps at least half of its ceiling, and never exceeds the longest pause', () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 60_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, first, longest, random) => {
          const ceiling = Math.min(longest, first * 2 ** attempt);
          const wait = computeBackoff(attempt, first, longest, () => random);
          expect(wait).toBeGreaterThanOrEqual(ceiling / 2);
          expect(wait).toBeLessThanOrEqual(ceiling);
        },
      ),
    );
  });
});
