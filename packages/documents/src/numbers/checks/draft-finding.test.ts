import { expect, test } from 'vitest';
import {
  draftFinding,
  findQuotientTolerance,
  formatAmount,
  formatFigure,
  formatValue,
  isWithin,
} from './draft-finding.ts';

test('a computed value is written with as many digits as say something', () => {
  const values = [0, 1.234, 12.345, 99.999, 100.04, 999.96, 1000.4, 1_234_567.8, -1.5, -0.001];
  expect(values.map((value) => formatValue(value))).toEqual([
    '0',
    '1.23',
    '12.35',
    '100',
    '100',
    '1,000',
    '1,000',
    '1,234,568',
    '−1.5',
    '0',
  ]);
  expect([formatValue(0.1534, true), formatValue(-0.5, true), formatValue(12, true)]).toEqual([
    '15.34 %',
    '−50 %',
    '1,200 %',
  ]);
});

test('an amount is written in what the numbers it comes from are counted in', () => {
  const written = (value: number, base: number, shown: number) => formatAmount(value, { value: base, shown });
  expect(written(95e6, 12e6, 12)).toBe('95 million');
  expect(written(95e9, 1.2e9, 1.2)).toBe('95 billion');
  expect(written(4500, 3000, 3)).toBe('4.5 thousand');
  expect(written(95, 12, 12)).toBe('95');
  expect(written(95, 0, 0)).toBe('95');
});

test('a figure carries its unit where only its header says it', () => {
  const figures = [
    ['15', '%'],
    ['15 %', '%'],
    ['15 percent', '%'],
    ['1.2', 'pp'],
    ['1.2 points', 'pp'],
    ['15', 'USD'],
  ] as const;
  expect(figures.map(([text, unit]) => formatFigure({ text, unit }))).toEqual([
    '15 %',
    '15 %',
    '15 percent',
    '1.2 pp',
    '1.2 points',
    '15',
  ]);
});

test('two numbers are one within what rounding leaves open, and a hair more', () => {
  expect([isWithin(1, 1.5, 0.5), isWithin(1, 1.51, 0.5), isWithin(0.3, 0.1 + 0.2, 0), isWithin(0, 1e-12, 0)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([isWithin(1e9, 1e9 + 0.5, 0), isWithin(1e9, 1e9 + 2, 0), isWithin(-1e9, -1e9 - 0.5, 0)]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a quotient may be off by what its parts are rounded by', () => {
  const cell = (value: number, precision: number) => ({ value, precision }) as never;
  // 10.5 / 19.5 − 10 / 20 at the most.
  expect(findQuotientTolerance(cell(10, 0.5), cell(20, 0.5))).toBeCloseTo(0.75 / 19.5, 12);
  expect(findQuotientTolerance(cell(-10, 0.5), cell(20, 0))).toBeCloseTo(0.025, 12);
});

test('a check that holds has no gap', () => {
  const drafted = (holds: boolean) => draftFinding('sum', holds, 'S.', 'A', [], 3);
  expect([drafted(true), drafted(false)]).toMatchObject([
    { outcome: 'holds', gap: 0, check: 'sum', statement: 'S.', arithmetic: 'A' },
    { outcome: 'conflict', gap: 3 },
  ]);
});
