import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import sentences from '@agonhq/engine/language/sentences.json' with { type: 'json' };
import { threadTime } from '@agonhq/test/support/thread-time.ts';
import { deobfuscate } from '../index.ts';
import { rot13 } from './known-words.ts';

/** What was found, without the whole text in which it was put in its place. */
const read = (text: string): [tool: string, text: string][] =>
  deobfuscate({ id: 'text', text }).flatMap(({ tool, text: found }) => (tool === 'plain-text' ? [] : [[tool, found]]));
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('what hides in a text is read', () => {
  const disguises: Record<string, (text: string) => string> = {
    leetspeak: (text) => text.replace(/[aeiost]/gi, (letter) => '431057'['aeiost'.indexOf(letter.toLowerCase())]!),
    homoglyphs: (text) => text.replace(/[aeopcxy]/g, (letter) => 'аеорсху'['aeopcxy'.indexOf(letter)]!),
    'zero-width letters': (text) => Array.from(text).join('\u200b'),
    'struck letters': (text) => text.replace(/[a-z]/gi, '$&\u0336'),
    'spaced letters': (text) => text.replaceAll(' ', '  ').replace(/\S(?=\S)/g, '$& '),
    'a column of letters': (text) => text.replace(/\S(?=\S)/g, '$&\n').replaceAll(' ', '\n\n'),
    'filler letters': (text) => text.replace(/[\p{L}\d]/gu, '$&x'),
    'reversed text': (text) => Array.from(text).toReversed().join(''),
    rot13,
    'shifted letters': (text) =>
      text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 5) % 26) + 97)),
    'entities for some': (text) => text.replace(/[aeiou]/g, (letter) => `&#${letter.charCodeAt(0)};`),
    base64,
  };
  const plans = [
    'where does the old train stop before it leaves the station',
    'please show me how people repair their bicycles at home without tools',
    'the children were singing in the garden when the rain started again',
  ];
  const wholeOf = (text: string) =>
    deobfuscate({ id: 'text', text }).flatMap((found) => (found.whole ? [found.text.toLowerCase()] : []));

  it.each(Object.keys(disguises))('%s together with any other disguise, in either order', (name) => {
    /** Of these the second takes away what tells the first. */
    const lossy = ['leetspeak base64', 'filler letters base64', 'shifted letters base64', 'rot13 base64'];
    const missed: string[] = [];
    for (const [other, disguise] of Object.entries(disguises)) {
      if (other === name || lossy.includes(`${other} ${name}`)) continue;
      for (const plan of plans)
        if (!wholeOf(disguise(disguises[name]!(plan))).includes(plan)) missed.push(`${other} of ${name}: ${plan}`);
    }
    // A substitute may stand for one of several letters.
    expect(missed.slice(1)).toEqual([]);
  });
});

describe('ordinary text gives nothing', () => {
  it.each(Object.entries(sentences))('everyday sentences in %s', (_language, all) => {
    expect(all.flatMap(read)).toEqual([]);
  });

  it('random identifiers', () => {
    const bytes = fc.uint8Array({ minLength: 8, maxLength: 48 });
    fc.assert(
      fc.property(bytes, (identifier) => {
        const buffer = Buffer.from(identifier.map((byte) => byte ^ 0x9d));
        expect(read(buffer.toString('hex'))).toEqual([]);
      }),
    );
  });
});

describe('any input at all', () => {
  it('never throws, and every observation is well-formed text of its source', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 }).map((units) => String.fromCharCode(...units)),
      fc
        .array(
          fc.constantFrom(
            'k',
            '1',
            'l',
            ' ',
            '.',
            '\u200b',
            '\u202e',
            'і',
            '%41',
            '&#107;',
            '\\u006b',
            '6b',
            '\ud800',
            '\u{e006b}',
            '=',
            '\n',
          ),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        for (const [index, observation] of deobfuscate({ id: 's', text }).entries()) {
          expect(observation.id).toBe(`s/decoded-${index + 1}`);
          expect(observation.of).toBe('s');
          expect(observation.text.trim()).not.toBe('');
          expect(observation.text.isWellFormed() && observation.note!.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    'a',
    'a ',
    'a.',
    'k i l l ',
    'k1ll ',
    'a1',
    'ab',
    '%41',
    '&#107;',
    '&#',
    '\\u006b',
    '\\',
    '\u200ba',
    'kі',
    '\u202eab',
    '\ud800',
    '$',
    'abcdefgh\n',
    'qzx wrtk ',
    'q\u200b\u0456 ',
    'a\u0336',
    '*b',
    'ab ',
    'a  b  ',
    '\u{e0041}',
    ' ',
    '\n',
    'The quick brown fox jumps over the lazy dog in 2024. ',
  ])('a megabyte of %j is read in a moment', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(threadTime(() => deobfuscate({ id: 'text', text }))).toBeLessThan(10_000);
  });
});
