import { describe, expect, test } from 'vitest';
import { nameTerm, readArithmetic, readExpression } from './read-expression.ts';

const read = (program: string, terms: string[]) =>
  readExpression(program, terms)
    .map((part) => ('term' in part ? `<${nameTerm(part.term)}>` : part.text))
    .join('');

describe('an expression in readable form', () => {
  test.each([
    ['ratio(Gross profit[FY2024], Revenue[FY2024]) = 45 %', '<Gross profit, FY2024> ÷ <Revenue, FY2024> = 45 %'],
    [
      'growth(Revenue[FY2024], Gross profit[FY2024]) = 15 %',
      'growth from <Gross profit, FY2024> to <Revenue, FY2024> = 15 %',
    ],
    [
      'ratio(sum(Revenue[FY2024], Gross profit[FY2024]), Total (all), sum) = 61 %',
      '(<Revenue, FY2024> + <Gross profit, FY2024>) ÷ <Total (all), sum> = 61 %',
    ],
    [
      'rank(Revenue[FY2024], highest of Revenue[FY2024], Gross profit[FY2024]) = place 1 from the highest',
      'the place of <Revenue, FY2024> from the highest among <Revenue, FY2024>, <Gross profit, FY2024> = place 1 from the highest',
    ],
    ['Revenue[FY2024] > Gross profit[FY2024]', '<Revenue, FY2024> > <Gross profit, FY2024>'],
    [
      'every(Revenue[FY2024] > Gross profit[FY2024], Revenue[FY2024] > 3)',
      '<Revenue, FY2024> > <Gross profit, FY2024> and <Revenue, FY2024> > 3',
    ],
    ['something(else', 'something(else'],
  ])('%s', (program, words) => {
    expect(read(program, ['Revenue[FY2024]', 'Gross profit[FY2024]', 'Total (all), sum'])).toBe(words);
  });
});

test('arithmetic is told a step at a time, with the gap where both are shares', () => {
  expect(readArithmetic({ arithmetic: '1886 / 4600 = 41 %, stated 45 %', gap: 0.04000000000000004 })).toEqual([
    { what: 'computed', text: '1886 / 4600' },
    { what: 'result', text: '41 %' },
    { what: 'stated', text: '45 %' },
    { what: 'gap', text: '4 percentage points' },
  ]);
  expect(readArithmetic({ arithmetic: '52 > 40; 20 > 19', gap: 0 }).map(({ text }) => text)).toEqual([
    '52 > 40',
    '20 > 19',
  ]);
});
