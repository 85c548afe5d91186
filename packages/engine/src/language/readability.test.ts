import { describe, expect, test } from 'vitest';
import { threadTime } from '@agonhq/test/support/thread-time.ts';
import { findUnreadable } from './readability.ts';
import sentences from './sentences.json' with { type: 'json' };

const shift = (text: string, by: number) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + by) % 26) + 97));

describe('letters that are no words of any language', () => {
  test.each([3, 7, 11, 18])('are found when they were shifted by %i', (by) => {
    const long = sentences.en.filter((sentence) => sentence.length > 30);
    const found = long.filter((sentence) => findUnreadable(shift(sentence.toLowerCase(), by)).length > 0);
    expect(found.length).toBeGreaterThanOrEqual(long.length - 1);
  });

  test('are found in a stretch among words', () => {
    const text = `Please answer this: ${shift('where does the old train stop before it leaves', 4)} Thank you.`;
    const [{ start, end } = { start: 0, end: 0 }] = findUnreadable(text);
    expect(text.slice(start, end)).toContain(shift('the old train stop before', 4));
    expect(end).toBeLessThan(text.indexOf('Thank'));
  });
});

test.each([
  ['what sounds like English', 'Owhay oday ouyay ookcay uchsay aay icenay oupsay omfray onionsay?'],
  ['a script that nobody here reads', 'ᚹᚺᛖᚱᛖ ᛁᛊ ᛏᚺᛖ ᛟᛚᛞ ᛒᚱᛁᛞᚷᛖ'],
  ['Braille', '⠺⠓⠑⠗⠑ ⠊⠎ ⠞⠓⠑ ⠕⠇⠙ ⠃⠗⠊⠙⠛⠑'],
])('%s and is none is found', (_what, text) => {
  expect(findUnreadable(text)).toEqual([{ start: 0, end: text.length }]);
});

describe('nothing is found', () => {
  test.each(Object.entries(sentences))('in everyday sentences in %s', (_language, all) => {
    expect(all.filter((sentence) => findUnreadable(sentence).length > 0)).toEqual([]);
  });

  test.each([
    'Angela Merkel, Emmanuel Macron and Pedro Sánchez met Krzysztof Szczęsny in Łódź.',
    'for (const x of xs) { await fn(x.id, y => y.z ?? null); }',
    "kubectl get pods -n kube-system | grep -v Running | awk '{print $1}'",
    'lol omg brb idk tbh ngl smh rofl',
    '😂😂😂 🎉🎉 ❤️',
    'd670460b4b4aece5915caf5c68d12f560a9fe3e4 550e8400-e29b-41d4-a716-446655440000',
    'https://example.com/qwrtz/xkcd/pqrst?zzzx=qqqy&wxyz=brrr @qwrtz #xkcdbrb',
    'hmm brr pfft zzz grr',
    'hahahaha jajaja kkkkk rsrsrs',
    'aaaaaaaaah noooooo yesssss',
    'mdr jsp tkt c pas grave bcp',
    'Aoife Ní Bhriain, Siobhán, Caoimhe, Tadhg',
    'Arkadaslar gozunuzu seveyim, acik fikirli olun, hepsini yazmayin.',
    'Smith, Johnson, Kowalczyk, Fernandez, Oduya, Lindqvist, Haverkamp',
  ])('in %j', (text) => {
    expect(findUnreadable(text)).toEqual([]);
  });
});

test.each(['a', 'q', 'qx ', '_', '1', 'q1', 'é', '@', 'http://', "q'", 'Ж'])(
  'a megabyte of %j is read in a moment',
  (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(threadTime(() => findUnreadable(text))).toBeLessThan(1_000);
  },
);
