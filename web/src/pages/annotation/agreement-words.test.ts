import { expect, test } from 'vitest';
import { alphaWords, figureWords, kappaWords, percentWords } from './agreement-words.ts';

test('figures are written short, and what is not known is not zero', () => {
  expect([percentWords(0.75), percentWords(5 / 6), percentWords(0), percentWords(null)]).toEqual([
    '75 %',
    '83.3 %',
    '0 %',
    '–',
  ]);
  expect([figureWords(0.5), figureWords(-1 / 3), figureWords(null)]).toEqual(['0.50', '-0.33', '–']);
});

test('figures have the words that are usual for them', () => {
  expect([null, -0.1, 0, 0.205, 0.3, 0.5, 0.61, 0.9].map(kappaWords)).toEqual([
    'not known yet',
    'less than by chance',
    'slight',
    'fair',
    'fair',
    'moderate',
    'substantial',
    'almost perfect',
  ]);
  expect([null, 0.5, 0.7, 0.8].map(alphaWords)).toEqual(['not known yet', 'not reliable', 'tentative', 'reliable']);
});
