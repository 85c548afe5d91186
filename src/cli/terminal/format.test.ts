import { expect, test } from 'vitest';
import { formatMoment } from './format.ts';

test('a moment is written in local time, to the minute', () => {
  expect(formatMoment(new Date(2026, 0, 5, 7, 9))).toBe('2026-01-05 07:09');
});
