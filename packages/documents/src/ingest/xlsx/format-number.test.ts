import { describe, expect, test } from 'vitest';
import { findBuiltInFormat, formatDate, formatNumber, isDateFormat, readSerialDate } from './format-number.ts';

describe('a number as its cell shows it', () => {
  test.each([
    [0.153, '0.0%', '15.3%'],
    [0.15, '0%', '15%'],
    [1234567.891, '#,##0.00', '1,234,567.89'],
    [1234567, '#,##0', '1,234,567'],
    [4600000, '#,##0.0,,"m"', '4.6m'],
    [-42, '#,##0;(#,##0)', '(42)'],
    [-42, '#,##0', '-42'],
    [-1234.5, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', '$(1,234.50)'],
    [0, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', '$-'],
    [1234.5, '[$€-407] #,##0.00', '€ 1,234.50'],
    [1234.5, '"USD" #,##0', 'USD 1,235'],
    [-5, '[Red]0.0', '-5.0'],
    [-5, '0.0;[Red]-0.0', '-5.0'],
    [7, '000', '007'],
    [1.5, '0.##', '1.5'],
    [12345.678, '0.00E+00', '1.23E+4'],
    [0.1 + 0.2, 'General', '0.3'],
    [42, 'General', '42'],
    [0, '0.0;(0.0);"none"', 'none'],
    [0, '0.0;(0.0)', '0.0'],
    [-2, '0.0;(0.0);"none"', '(2.0)'],
    [2, '0.0;(0.0);"none"', '2.0'],
    [0, '#,##0;(#,##0);-', '-'],
    [1234567, '#,##0,', '1,235'],
    [1234567, '0.0,,', '1.2'],
    [1234567, '#,##0,"k"', '1,235k'],
    [0.5, '0.00%', '50.00%'],
    [1.25, '0.0', '1.3'],
    [-0.05, '0%', '-5%'],
    [12.5, '$#,##0.00', '$12.50'],
    [1234.5, '#,##0.##', '1,234.5'],
    [1e20, 'General', '100000000000000000000'],
    [-0.001, '0.0', '0.0'],
    [2024, '0', '2024'],
    [3, '0 "employees"', '3 employees'],
    [0.5, '# ?/?', '0.5'],
  ])('%d in %s is %s', (value, format, shown) => {
    expect(formatNumber(value, format)).toBe(shown);
  });

  test('formats without a name of their own are known by number', () => {
    expect(formatNumber(0.153, findBuiltInFormat(10))).toBe('15.30%');
    expect(formatNumber(1234.5, findBuiltInFormat(4))).toBe('1,234.50');
    expect(formatNumber(5, findBuiltInFormat(0))).toBe('5');
  });
});

describe('a date as its format means it', () => {
  const date = new Date(Date.UTC(2024, 5, 30, 14, 5));
  test.each([
    ['dd/mm/yyyy', '2024-06-30'],
    ['m/d/yy', '2024-06-30'],
    ['mmm-yy', 'Jun 2024'],
    ['yyyy', '2024'],
    ['h:mm', '14:05'],
    ['yyyy-mm-dd h:mm', '2024-06-30 14:05'],
    ['d-mmm', '30 Jun'],
    ['[$-409]d-mmm-yyyy;@', '2024-06-30'],
  ])('%s: %s', (format, shown) => {
    expect(formatDate(date, format)).toBe(shown);
  });
});

test('a day is counted from 1900, with the 29 February that it did not have, or from 1904', () => {
  const day = (serial: number, from1904 = false) => readSerialDate(serial, from1904).toISOString().slice(0, 16);
  expect(day(1)).toBe('1900-01-01T00:00');
  expect(day(59)).toBe('1900-02-28T00:00');
  expect(day(60)).toBe('1900-02-28T00:00');
  expect(day(61)).toBe('1900-03-01T00:00');
  expect(day(45_473.75)).toBe('2024-06-30T18:00');
  expect(day(0, true)).toBe('1904-01-01T00:00');
  expect(day(44_011, true)).toBe('2024-06-30T00:00');
});

test.each([
  ['yyyy-mm-dd', true],
  ['h:mm', true],
  ['mmm-yy', true],
  ['[$-409]d-mmm-yyyy;@', true],
  ['General', false],
  ['0.00', false],
  ['0.00E+00', false],
  ['0 "days"', false],
  ['0\\d', false],
  ['#,##0;[Red]-#,##0', false],
])('that %s shows a day or a time: %s', (format, shows) => {
  expect(isDateFormat(format)).toBe(shows);
});
