import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inStandardLetters } from './standard-letters.ts';

test.each([
  ['Café, naïve, 12 € – “so” … ™', 'Café, naïve, 12 € – “so” … ™'],
  ['(4,600 − 4,000) ≥ 15\u202f%', '(4,600 – 4,000) >= 15 %'],
  ['e\u0301', 'é'],
  ['Łódź', '[U+0141]ód[U+017A]'],
  ['利益率は改善', '[6 characters that this font lacks]'],
  ['a\u202eb\u0000', 'a[U+202E]b[U+0000]'],
  ['🦊', '[U+1F98A]'],
])('%j is written as %j', (text, written) => {
  expect(inStandardLetters(text)).toBe(written);
});

test('whatever it is given, it writes letters that the standard fonts have, and leaves theirs alone', () => {
  const letters = /^[\t\n\r\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => letters.test(inStandardLetters(text))));
  fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => inStandardLetters(text) === text));
});
