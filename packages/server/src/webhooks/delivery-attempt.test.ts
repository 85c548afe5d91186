import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planNextAttempt, pausesMs } from './delivery-attempt.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const after = (attempts: number, retryAfter: string | null = null, random = 0.5) => {
  const next = planNextAttempt(attempts, { retryAfter, now, random: () => random });
  return next && (next.getTime() - now) / 1000;
};

test('a delivery is tried eight times within a day and a half', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => after(attempts))).toEqual([
    5,
    30,
    120,
    600,
    3_600,
    21_600,
    86_400,
    null,
  ]);
});

test('pauses differ by up to a fifth, so that not all come back at once', () => {
  expect([after(1, null, 0), after(1, null, 1)]).toEqual([4, 6]);
});

test('a receiver may ask for more patience, in seconds or until a moment, up to a day', () => {
  expect(after(1, '90')).toBe(90);
  expect(after(1, 'Thu, 01 Jan 2026 00:10:00 GMT')).toBe(600);
  expect(after(1, '999999999')).toBe(86_400);
});

test('nobody can make us hurry, or lose count', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String)),
      fc.integer({ min: 1, max: 7 }),
      (retryAfter, attempts) => {
        const seconds = after(attempts, retryAfter)!;
        expect(seconds).toBeGreaterThanOrEqual(pausesMs[attempts - 1]! / 1000);
        expect(seconds).toBeLessThanOrEqual(86_400);
      },
    ),
  );
});
