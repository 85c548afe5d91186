import { expect, test } from 'vitest';
import { agreementBetween } from './agreement-between.ts';

const said = (votes: Record<string, string>) => new Map(Object.entries(votes));

test('two raters agree as computed by hand', () => {
  // 3 of 4 alike; by chance (3·2 + 1·2) / 16 = 1/2: κ = (3/4 − 1/2) / (1 − 1/2).
  const items = [
    said({ ada: 'safe', ben: 'safe' }),
    said({ ada: 'safe', ben: 'safe' }),
    said({ ada: 'unsafe', ben: 'unsafe' }),
    said({ ada: 'safe', ben: 'unsafe' }),
    said({ ada: 'unsafe' }),
  ];
  const { items: judged, raters, percent, kappa, alpha, pairs } = agreementBetween(items);
  expect([judged, raters, percent, kappa]).toEqual([4, ['ada', 'ben'], 0.75, 0.5]);
  // 5 safe and 3 unsafe of 8: disagreement met 2/8, by chance 2·5·3 / (8·7).
  expect(alpha).toBeCloseTo(1 - 2 / 8 / (30 / 56), 12);
  expect(pairs).toEqual([{ between: ['ada', 'ben'], items: 4, percent: 0.75, kappa: 0.5 }]);
});

test('of three, kappa is the mean over the pairs who met and could have disagreed', () => {
  const items = [
    said({ ada: 'safe', ben: 'unsafe' }),
    said({ ada: 'unsafe', ben: 'safe' }),
    said({ ben: 'safe', cleo: 'safe' }),
  ];
  const { kappa, pairs } = agreementBetween(items);
  expect(pairs.map(({ between, kappa: own }) => [between.join('+'), own])).toEqual([
    ['ada+ben', -1],
    ['ben+cleo', null],
  ]);
  expect(kappa).toBe(-1);
});

test('where nobody met there is no figure', () => {
  expect(agreementBetween([said({ ada: 'safe' })])).toEqual({
    items: 0,
    raters: [],
    percent: null,
    kappa: null,
    alpha: null,
    pairs: [],
  });
});
