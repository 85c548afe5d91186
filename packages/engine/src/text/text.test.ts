import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isCommonStem,
  joinParts,
  joinPlainWords,
  joinWithAnd,
  listContentStems,
  partSeparator,
  shorten,
  shortenCharacters,
  shortenWithin,
  splitWords,
  tokenize,
  toLabel,
  toOneLine,
} from './index.ts';

test('a text on one line has no other white space than single spaces', () => {
  expect(toOneLine(' a\n\tb  c ')).toBe('a b c');
  expect(toLabel('a <<b>>\nc')).toBe('a b c');
});

test('what is shortened says so, and what is short enough stays as it is', () => {
  expect(shorten('abcdef', 3)).toBe('abc…');
  expect(shorten('abcdef', 3, ' …')).toBe('abc …');
  expect(shortenWithin('abcdef', 3)).toBe('ab…');
  expect(shortenCharacters('ab cdef', 3)).toBe('ab …');
  for (const cut of [shorten, shortenWithin, shortenCharacters]) expect(cut('abc', 3)).toBe('abc');
});

test('a word of a hundred thousand letters is stemmed in no time', () => {
  const began = performance.now();
  for (const letter of ['a', 'b', 'es', "'"]) tokenize(letter.repeat(100_000));
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('no character is cut in half where people count', () => {
  expect(shortenCharacters('😀'.repeat(4), 3)).toBe(`${'😀'.repeat(3)} …`);
  expect(shortenCharacters('😀'.repeat(3), 3)).toBe('😀'.repeat(3));
});

test('parts of a message are found again where they were joined', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (parts) => {
      const { text, places } = joinParts(parts);
      expect(places.map(({ start, end }) => text.slice(start, end))).toEqual(parts);
      expect(text).toBe(parts.join(partSeparator));
    }),
  );
});

test('words are compared without case, marks and inflection', () => {
  expect(joinPlainWords('Revenue—up: 15 %!')).toBe('revenue up 15');
  expect([...listContentStems('The companies were growing by 1,200')]).toEqual(['company', 'grow', '1200']);
  expect(splitWords('増収 1.5')).toMatchObject([{ folded: '増' }, { folded: '収' }, { folded: '1.5' }]);
  expect(tokenize('It grew by three, to 1,200.5')).toMatchObject([
    { stem: 'it' },
    { stem: 'grow' },
    { stem: 'by' },
    { stem: '3', number: 3 },
    { stem: 'to' },
    { number: 1200.5 },
  ]);
  expect(isCommonStem('it')).toBe(true);
});

test('a list ends with "and"', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinWithAnd)).toEqual(['', 'a', 'a and b', 'a, b and c']);
});
