import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCount, readDays, readShare, readTimes } from './quantities.ts';

test.each([
  ['100M', 1e8],
  ['2.5k', 2_500],
  ['1B', 1e9],
  ['400', 400],
  ['1,000,000', 1e6],
  ['30_000', 30_000],
  ['0', 0],
])('%s is %d', (text, value) => {
  expect(readCount('--n', text)).toBe(value);
});

test.each(['', 'many', '-3', '1e6', '3%', '10 0', '1.2.3', '5X'])('%j is no number', (text) => {
  expect(() => readCount('--n', text)).toThrow(
    expect.objectContaining({ code: 'bad-flag', hint: expect.stringContaining('--n 100M') }),
  );
});

test('a share is a percentage or a fraction, and never above one', () => {
  expect([
    readShare('--s', '3%'),
    readShare('--s', '0.03'),
    readShare('--s', '.5'),
    readShare('--s', '100%'),
    readShare('--s', '0'),
  ]).toEqual([0.03, 0.03, 0.5, 1, 0]);
  for (const text of ['3', '101%', 'x', ''])
    expect(() => readShare('--s', text)).toThrow(expect.objectContaining({ code: 'bad-flag' }));
});

test('times and days are read with their unit or without', () => {
  expect([readTimes('--t', '3x'), readTimes('--t', '1.5'), readTimes('--t', '2×')]).toEqual([3, 1.5, 2]);
  expect([readDays('--d', '90d'), readDays('--d', '2w'), readDays('--d', '1y'), readDays('--d', '30')]).toEqual([
    90, 14, 365, 30,
  ]);
  for (const text of ['0.5x', 'x', ''])
    expect(() => readTimes('--t', text)).toThrow(expect.objectContaining({ code: 'bad-flag' }));
  for (const text of ['0d', 'd', '3m'])
    expect(() => readDays('--d', text)).toThrow(expect.objectContaining({ code: 'bad-flag' }));
});

test('whatever whole number is written comes back, in digits or in thousands', () => {
  fc.assert(
    fc.property(
      fc.nat(1e9),
      (value) => readCount('--n', String(value)) === value && readCount('--n', `${value}k`) === value * 1e3,
    ),
  );
});
