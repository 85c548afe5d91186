import { expect, test } from 'vitest';
import { formatChance, formatMoment } from './format.ts';

test('a chance too small to be written is less than what can be', () => {
  expect([formatChance(0.004), formatChance(0.00001)]).toEqual(['p = 0.0040', 'p < 0.0001']);
});

test('a moment is written in local time, to the minute', () => {
  expect(formatMoment(new Date(2026, 0, 5, 7, 9))).toBe('2026-01-05 07:09');
});
