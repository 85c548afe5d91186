import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CitedPassage } from '@agonhq/engine/view';
import { HighlightedText } from '../components/text.tsx';
import { markPassages, TextWindows } from './passages.tsx';

const passage = (number: number, start: number, end: number, side: 'risk' | 'exoneration' = 'risk'): CitedPassage => ({
  number,
  source: 'text',
  start,
  end,
  quote: '',
  quoters: [{ anchor: 'turn-1', speaker: 'Strict debater', side }],
});

const highlight = (text: string, passages: readonly CitedPassage[]) =>
  renderToStaticMarkup(createElement(HighlightedText, { text, marks: markPassages(passages) }));

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

/** What a reader sees, without the numbers that we add: chips are read as the characters they name. */
function textOf(page: string): string {
  return page
    .replace(/<sup.*?<\/sup>/gs, '')
    .replace(/<bdi[^>]*>U\+([0-9A-F]+)<\/bdi>/g, (_, hex: string) => `&U${hex};`)
    .replace(/<[^>]*>/g, '')
    .replace(/&U([0-9A-F]+);|&[#a-z0-9]+;/g, (entity, hex: string | undefined) =>
      hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : entities[entity]!,
    );
}

const marksOf = (page: string) =>
  [...page.matchAll(/<mark [^>]*bg-(\w+)-ground[^>]*>(.*?)<\/mark>/gs)].map(([, tone, text]) => [tone, textOf(text!)]);

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\r',
        '<b>',
        '&amp;',
        '"',
        '👩‍👩‍👧',
        '漢字',
        'שלום',
        'é',
        'e\u0301',
        '\u202e',
        '\ud800',
        '\0',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('a text with its quoted passages', () => {
  test('says what it says, whatever is quoted from it', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.tuple(fc.nat(60), fc.nat(60), fc.boolean())), (text, ranges) => {
        const passages = ranges
          .map(([a, b, risk], index) =>
            passage(index + 1, Math.min(a, b), Math.max(a, b), risk ? 'risk' : 'exoneration'),
          )
          .filter(
            ({ start, end }) =>
              start < end && end <= text.length && text.slice(start, end).isWellFormed() === text.isWellFormed(),
          );
        expect(textOf(highlight(text, passages))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['emoji', 'a 👩‍👩‍👧 b', '👩‍👩‍👧'],
    ['Chinese', '清洁小窍门：把两瓶', '小窍门'],
    ['Arabic', 'اسكب الزجاجتين في الدلو', 'الزجاجتين'],
    ['combining marks', 'the cafe\u0301 is', 'cafe\u0301'],
    ['markup', 'a <b>bold</b> claim', '<b>bold</b>'],
  ])('has exactly the quoted words marked in %s', (_, text, quote) => {
    const start = text.indexOf(quote);
    expect(marksOf(highlight(text, [passage(1, start, start + quote.length)]))).toEqual([['risk', quote]]);
  });

  test('tells which words both sides quote', () => {
    const page = highlight('one two three', [passage(1, 0, 7, 'risk'), passage(2, 4, 13, 'exoneration')]);
    expect(marksOf(page)).toEqual([
      ['risk', 'one '],
      ['both', 'two'],
      ['exoneration', ' three'],
    ]);
    expect(page).toContain('id="mark-1"');
    expect(page).toContain('id="mark-2"');
  });
});

describe('a text of a megabyte', () => {
  const shown = (text: string, passages: readonly CitedPassage[]) =>
    renderToStaticMarkup(
      createElement(TextWindows, { text, passages, write: ({ start, end }) => text.slice(start, end) }),
    );

  test('is shown where it is quoted, with what is around, and says what is left out', () => {
    const page = shown(`${'a'.repeat(500_000)}NEEDLE${'😀'.repeat(250_000)}`, [passage(1, 500_000, 500_006)]);
    expect(page.length).toBeLessThan(10_000);
    expect(page).toContain('aNEEDLE😀');
    expect(page).toContain('498,500 characters not shown (0 to 498,500)');
    expect(page).toContain('498,500 characters not shown (501,506 to 1,000,006)');
    expect(page.isWellFormed()).toBe(true);
  });

  test('that nobody quotes is shown from its beginning', () => {
    expect(textOf(shown('b'.repeat(1_000_000), []))).toMatch(/^b{3000}997,000 characters not shown/);
  });
});
