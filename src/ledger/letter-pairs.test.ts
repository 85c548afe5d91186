import fc from 'fast-check';
import { expect, test } from 'vitest';
import { letterPairs } from './letter-pairs.ts';

const allIn = (word: string, text: string) => {
  const pairs = letterPairs(text);
  return letterPairs(word).every((bits, index) => (pairs[index]! & bits) === bits);
};

test('a text holds the pairs of every word in it', () => {
  const texts = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
  fc.assert(fc.property(texts, ([before, word, after]) => allIn(word, before + word + after)));
});

test('a word that a text does not hold is nearly always ruled out', () => {
  const text =
    'grandma’s trick: pour both bottles into the bucket and close the window, so that the steam can work. it is ' +
    'totally harmless, we did it at school in chemistry';
  const words = [
    'weapons',
    'passwords',
    'revenue',
    'guidance',
    'quarterly',
    'zebra',
    'kitchen',
    'politely',
    'refuses',
    'doctor',
    'recipe',
    '清洁小窍门',
    'münchen',
    'account',
  ];
  expect(words.filter((word) => allIn(word, text))).toEqual([]);
});
