import { expect, it } from 'vitest';
import { readPeriod, isSamePeriod, findYearBefore } from './scan-periods.ts';

it.each([
  ['2024', 'FY2024'],
  ['FY23', 'FY2023'],
  ['fiscal 2024', 'FY2024'],
  ['Q3 2024', 'Q3 2024'],
  ['3Q24', 'Q3 2024'],
  ['Q3/2024', 'Q3 2024'],
  ['third quarter of 2024', 'Q3 2024'],
  ['June 30, 2024', '2024-06-30'],
  ['30 June 2024', '2024-06-30'],
  ['Three Months Ended June 30, 2024', '3M to 2024-06-30'],
  ['Year Ended December 31, 2023', 'FY2023'],
  ['first half 2024', 'H1 2024'],
  ['Q3 2024', 'Q3 2024'],
  ['March 2024', '2024-03'],
])('“%s” is the period %s', (text, period) => {
  expect(readPeriod(text)).toBe(period);
});

it.each([['Revenue'], ['2,024 employees'], ['12.5 %']])('“%s” names no period', (text) => {
  expect(readPeriod(text)).toBeNull();
});

it('A year is also known by the date it ends on, a quarter also without its year', () => {
  expect(isSamePeriod('FY2024', '2024-12-31')).toBe(true);
  expect(isSamePeriod('Q3', 'Q3 2024')).toBe(true);
  expect(isSamePeriod('Q3 2023', 'Q3 2024')).toBe(false);
});

it('The year before keeps the quarter', () => {
  expect(findYearBefore('Q3 2024')).toBe('Q3 2023');
});
