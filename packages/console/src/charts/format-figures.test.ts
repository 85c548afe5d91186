import { expect, test } from 'vitest';
import { describeAlpha, describeKappa, formatAgreement, formatCoefficient } from './format-figures.ts';

test('figures are written short, and what is not known is not zero', () => {
  expect([formatAgreement(0.75), formatAgreement(5 / 6), formatAgreement(0), formatAgreement(null)]).toEqual([
    '75 %',
    '83.3 %',
    '0 %',
    '–',
  ]);
  expect([formatCoefficient(0.5), formatCoefficient(-1 / 3), formatCoefficient(null)]).toEqual(['0.50', '-0.33', '–']);
});

test('figures have the words that are usual for them', () => {
  expect([null, -0.1, 0, 0.205, 0.3, 0.5, 0.61, 0.9].map(describeKappa)).toEqual([
    'unknown',
    'worse than chance',
    'slight',
    'fair',
    'fair',
    'moderate',
    'substantial',
    'almost perfect',
  ]);
  expect([null, 0.5, 0.7, 0.8].map(describeAlpha)).toEqual(['unknown', 'not reliable', 'tentative', 'reliable']);
});
