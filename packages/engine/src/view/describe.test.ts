import { describe, expect, test } from 'vitest';
import { showControls } from './describe.ts';

const shown = (text: string) => showControls(text, (name) => `<${name}>`);

describe('characters that could deceive a reader are shown by name', () => {
  test.each([
    ['a right-to-left override', 'a\u202Eb', 'a<U+202E>b'],
    ['isolates', '\u2066x\u2069', '<U+2066>x<U+2069>'],
    ['a zero-width space', 'b\u200bomb', 'b<U+200B>omb'],
    ['a joiner between Latin letters', 'a\u200db', 'a<U+200D>b'],
    ['a null and an escape', '\0\u001b', '<U+0000><U+001B>'],
    ['a lone carriage return', 'a\rb', 'a<U+000D>b'],
    ['a lone surrogate', 'a\ud83db', 'a<U+D83D>b'],
    ['words hidden in tag characters', 'x\u{e0068}\u{e0069}', 'x<U+E0068><U+E0069>'],
    ['bytes hidden in variation selectors', '😀\ufe00\ufe01\u{e0100}', '😀\ufe00<U+FE01><U+E0100>'],
    ['a line separator', 'a\u2028b', 'a<U+2028>b'],
    ['a filler that looks like a space', 'a\u3164b', 'a<U+3164>b'],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test.each([
    ['line breaks and tabs', 'a\r\nb\n\tc'],
    ['a family of emoji', '👩‍👩‍👧 ❤️ 1️⃣'],
    ['the flag of Wales', '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
    ['Persian with its joiner', 'می‌خواهم'],
    ['combining marks', 'cafe\u0301 क्ष'],
    ['Arabic number signs', '\u0600123'],
  ])('but %s stay as they are', (_, text) => {
    expect(shown(text)).toBe(text);
  });
});
