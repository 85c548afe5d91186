import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashLetterPairs, makeExcerpt } from './listing.ts';

test('the first words of content, of an exchange, of a conversation, of files', () => {
  expect(makeExcerpt('plain\n words')).toBe('plain words');
  expect(makeExcerpt({ id: 'post-1', text: 'The text', images: [{ description: 'A bucket' }] })).toBe(
    'The text · A bucket',
  );
  expect(makeExcerpt({ response: 'No.', prompt: 'How?' })).toBe('How? · No.');
  expect(
    makeExcerpt({
      conversation: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
      ],
    }),
  ).toBe('Hello · Hi');
  expect(makeExcerpt({ documents: [{ name: 'report.pdf', text: 'Revenue rose.' }] })).toBe(
    'report.pdf · Revenue rose.',
  );
  expect(makeExcerpt({ images: [{ data: 'sha256:…' }] })).toBe('');
});

test('any content has one short line, well-formed', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.string({ unit: 'binary', maxLength: 400 }),
      (value, text) => {
        for (const excerpt of [makeExcerpt(value), makeExcerpt({ text, value })]) {
          expect(excerpt.length).toBeLessThanOrEqual(160);
          expect(excerpt).toBe(excerpt.toWellFormed());
          expect(excerpt).not.toMatch(/[\0\n\r\t]/);
        }
      },
    ),
  );
});

const allIn = (word: string, text: string) => {
  const pairs = hashLetterPairs(text);
  return hashLetterPairs(word).every((bits, index) => (pairs[index]! & bits) === bits);
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
