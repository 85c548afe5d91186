import { describe, expect, it } from 'vitest';
import { detectDecimalMark, readCellNumber, scanNumbers, readStatedScale } from './scan-numbers.ts';

const read = (text: string): [string, number, number | null, string | null][] =>
  scanNumbers(text).map((number) => [number.text, number.value, number.scale, number.unit]);

describe('numbers in a text', () => {
  it('carry their currency, scale and unit', () => {
    expect(read('Revenue was $4.6 million, costs €1,234 and 12 employees left; CHF 3bn and 2.5k units.')).toEqual([
      ['$4.6 million', 4.6, 1e6, 'USD'],
      ['€1,234', 1234, null, 'EUR'],
      ['12', 12, null, 'employees'],
      ['CHF 3bn', 3, 1e9, 'CHF'],
      ['2.5k', 2.5, 1e3, 'units'],
    ]);
  });

  it('read percentages as fractions, points and basis points as points', () => {
    const [percent, points, basis] = scanNumbers('15 % growth, 1.2 percentage points, 80 basis points');
    expect([percent!.value, percent!.unit]).toEqual([0.15, '%']);
    expect([points!.value, points!.unit]).toEqual([expect.closeTo(0.012), 'pp']);
    expect([basis!.value, basis!.unit]).toEqual([expect.closeTo(0.008), 'pp']);
  });

  it.each([
    ['5 %', 0.05, '%'],
    ['5‰', 0.005, '%'],
    ['5 per cent', 0.05, '%'],
    ['5 pct', 0.05, '%'],
    ['5 pp', 0.05, 'pp'],
    ['5 ppts', 0.05, 'pp'],
    ['5 percentage-points', 0.05, 'pp'],
    ['5 bps', 0.0005, 'pp'],
    ['5 basis points', 0.0005, 'pp'],
    ['(5 %)', -0.05, '%'],
    ['(5) %', -0.05, '%'],
    ['–5 %', -0.05, '%'],
    ['+5 %', 0.05, '%'],
  ])('“%s” is %d', (text, value, unit) => {
    expect(scanNumbers(text)).toMatchObject([{ value: expect.closeTo(value, 10), unit, scale: null }]);
  });

  it.each([
    ['5 hundred', 1e2],
    ['5 thousand', 1e3],
    ['5k', 1e3],
    ['5M', 1e6],
    ['5 mio', 1e6],
    ['5 mn', 1e6],
    ['5bn', 1e9],
    ['5 mrd', 1e9],
    ['5 trillion', 1e12],
    ['5tn', 1e12],
    ['5 lakh', 1e5],
    ['5 crore', 1e7],
  ])('“%s” is 5, times %d', (text, scale) => {
    expect(scanNumbers(text)).toMatchObject([{ value: 5, scale }]);
  });

  it.each([
    ['US$5', 'USD'],
    ['C$5', 'CAD'],
    ['A$5', 'AUD'],
    ['£5', 'GBP'],
    ['¥5', 'JPY'],
    ['RMB 5', 'CNY'],
    ['5 euros', 'EUR'],
    ['5 US dollars', 'USD'],
    ['Rs. 5', 'INR'],
    ['5 yen', 'JPY'],
    ['5 apples', null],
    ['5 Stores', 'stores'],
  ])('“%s” is in %s', (text, unit) => {
    expect(scanNumbers(text)).toMatchObject([{ value: 5, unit }]);
  });

  it('say of four bare digits that they may be a year', () => {
    const years = ['2024', '1999', '1899', '2100', '$2024', '2024 %', '2024 million', '(2024)'];
    expect(years.map((text) => scanNumbers(text)[0]!.year)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('take no brackets of the prose for a sign', () => {
    expect(read('It fell (by 5 million) and (3 million).').map(([, value]) => value)).toEqual([5, 3]);
    expect(read('(1,234) and (up 7) and (8 units)').map(([, value]) => value)).toEqual([-1234, 7, 8]);
  });

  it('leave open half of the last digit shown', () => {
    expect(scanNumbers('4.6 and 1,234 and 15.3 %').map(({ precision }) => precision)).toEqual([
      expect.closeTo(0.05),
      0.5,
      expect.closeTo(0.0005),
    ]);
  });

  it('do not start inside a word or a range', () => {
    expect(read('COVID19 and 10%-15%').map(([, value]) => value)).toEqual([0.1, 0.15]);
  });
});

describe('a cell', () => {
  it.each([
    ['(1,234)', -1234],
    ['-12.5', -12.5],
    ['$ (5)', -5],
    ['1,234 (a)', 1234],
    ['▼ 3', -3],
    ['12.5%', 0.125],
    ['(3.1%)', -0.031],
    ['—', 0],
    ['1 234 567', 1234567],
  ])('%s is %d', (text, value) => {
    expect(readCellNumber(text)?.value).toBeCloseTo(value, 10);
  });

  it.each([['n/a'], ['Revenue 2024'], ['3 to 5'], ['']])('“%s” is no number', (text) => {
    expect(readCellNumber(text)).toBeNull();
  });

  it('may write its decimals with a comma', () => {
    const mark = detectDecimalMark('Umsatz 1.234,5 und 12,3 sowie 3.456,7');
    expect(mark).toBe(',');
    expect(readCellNumber('1.234,5', mark)?.value).toBe(1234.5);
  });
});

it.each([
  ['$ in millions', 1e6, 'USD'],
  ["EUR '000", 1e3, 'EUR'],
  ['in thousands of US dollars', 1e3, 'USD'],
  ['€m', 1e6, 'EUR'],
  ['(GBP millions)', 1e6, 'GBP'],
  ['Growth (%)', null, '%'],
  ['Region', null, null],
  ['Revenue 2024, million euros', 1e6, 'EUR'],
  ['Revenue reached $5 million', null, null],
  ['We had $24.9 billion of debt, as follows (in millions)', 1e6, null],
  ['2024 $000', 1e3, 'USD'],
])('a caption “%s” states scale and unit', (text, scale, unit) => {
  expect(readStatedScale(text)).toEqual({ scale, unit });
});
