import { expect, it } from 'vitest';
import {
  findImpliedBase,
  findPeriodBefore,
  findYearAfter,
  findYearBefore,
  isSamePeriod,
  orderPeriod,
  readPeriod,
} from './scan-periods.ts';

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

it.each([
  ['FY2024', 'FY2024', true],
  ['FY2024', 'FY2023', false],
  ['FY2024', '2024-06-30', true],
  ['FY2024', '2023-06-30', false],
  ['FY2024', '2024-01-31', false],
  ['FY2024', '2024-02-29', false],
  ['FY2024', '2024-03-31', true],
  ['FY2024', '2024-03', false],
  ['Q3', 'Q3 2024', true],
  ['Q3', 'Q4 2024', false],
  ['Q3', 'FY2024', false],
  ['H1', 'H1 2024', true],
  ['M03', '2024-03', true],
  ['M03', '2024-04', false],
  ['M03', '2024-03-31', false],
  ['M03', 'M03', true],
  ['3M to 2024-06', '3M to 2024-06-30', true],
  ['3M to 2024-06-30', '6M to 2024-06-30', false],
  ['Q3 2024', '2024-03', false],
])('that %s and %s may mean one period, either way round: %s', (left, right, same) => {
  expect([isSamePeriod(left, right), isSamePeriod(right, left)]).toEqual([same, same]);
});

it.each([
  ['FY2024', 'FY2023'],
  ['Q3 2024', 'Q2 2024'],
  ['Q1 2024', 'Q4 2023'],
  ['H1 2024', 'H2 2023'],
  ['H2 2024', 'H1 2024'],
  ['2024-03', '2024-02'],
  ['2024-01', '2023-12'],
  ['M03', 'M02'],
  ['M01', null],
  ['2024-06-30', '2023-06-30'],
  ['Q3', null],
])('right before %s is %s', (period, before) => {
  expect(findPeriodBefore(period)).toBe(before);
});

it('a year is held against the one before; a part of it against no certain one', () => {
  expect(
    ['FY2024', '2024-06-30', 'Q3 2024', 'H1 2024', '3M to 2024-06', 'YTD', '2024-06'].map(findImpliedBase),
  ).toEqual(['FY2023', '2023-06-30', null, null, null, null, null]);
  expect([findYearAfter('Q3 2024'), findYearAfter('Q3')]).toEqual(['Q3 2025', null]);
});

it.each([
  [['Q4 2023', 'Q1 2024', 'Q2 2024', 'Q4 2024', 'Q1 2025']],
  [['H1 2023', 'H2 2023', 'H1 2024']],
  [['2023-12', '2024-01', '2024-02']],
  [['2024-01-31', '2024-02-01', '2024-02-29']],
  [['M01', 'M02', 'M12']],
  [['FY2022', 'FY2023', 'FY2024']],
])('%s come one after the other', (periods) => {
  const order = periods.map((period) => orderPeriod(period)!);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(new Set(order).size).toBe(order.length);
  expect(orderPeriod('YTD')).toBeNull();
});
