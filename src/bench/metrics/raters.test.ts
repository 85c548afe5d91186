import { expect, test } from 'vitest';
import { agreementWithRaters, shareOf, softBrier, unanimous } from './raters.ts';

test('raters are unanimous when all say the same', () => {
  expect([unanimous(['safe', 'safe']), unanimous(['safe', 'unsafe', 'safe']), unanimous(['safe'])]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a soft label is the share of raters', () => {
  expect([shareOf(['safe', 'unsafe', 'unsafe'], 'unsafe'), shareOf([], 'unsafe')]).toEqual([2 / 3, 0]);
});

test('agreement with a rater picked at random: all of two, one of three, none', () => {
  const items = [
    { said: 'safe', raters: ['safe', 'safe'] },
    { said: 'unsafe', raters: ['safe', 'unsafe', 'safe'] },
    { said: 'undecided', raters: ['safe', 'unsafe'] },
  ];
  expect(agreementWithRaters(items)).toBeCloseTo((1 + 1 / 3 + 0) / 3, 12);
  expect(agreementWithRaters([])).toBeNull();
});

test('the soft Brier score is the mean square of what a probability is off from the share of raters', () => {
  expect(
    softBrier([
      { probability: 0.5, share: 0.5 },
      { probability: 0.9, share: 2 / 3 },
    ]),
  ).toBeCloseTo((0.9 - 2 / 3) ** 2 / 2, 12);
  expect(softBrier([])).toBeNull();
});
