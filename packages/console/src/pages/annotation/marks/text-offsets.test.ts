import { expect, test } from 'vitest';
import { stepFrom, toSourceOffset, trimStretch } from './text-offsets.ts';

test('a place of what is shown is found in the text, also behind characters that are shown by name', () => {
  expect(toSourceOffset('plain', 3)).toBe(3);
  // `b`, then `U+200B` in the place of one character.
  expect(['b\u200bomb'].map((text) => [1, 7, 8].map((shown) => toSourceOffset(text, shown)))).toEqual([[1, 2, 3]]);
});

test('a stretch is marked without the white space around it, whichever way it was selected', () => {
  expect([trimStretch('a  word ', 8, 1), trimStretch('a   b', 1, 4)]).toEqual([{ start: 3, end: 7 }, null]);
});

test('the cursor goes by whole characters and by words, and stays within the text', () => {
  const text = 'Hi 👩‍👩‍👧, you there';
  expect(stepFrom(text, 3, 1, 'character')).toBe(11);
  expect(stepFrom(text, 0, 1, 'word')).toBe(2);
  expect(stepFrom(text, 2, 1, 'word')).toBe(text.indexOf('you') + 3);
  expect(stepFrom(text, text.length, -1, 'word')).toBe(text.indexOf('there'));
  expect([stepFrom(text, text.length, 1, 'word'), stepFrom(text, 0, -1, 'character')]).toEqual([text.length, 0]);
});
