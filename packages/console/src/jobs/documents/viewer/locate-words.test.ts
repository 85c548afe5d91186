import { describe, expect, test } from 'vitest';
import { type PageArea, locateWords, type LocatedText } from './locate-words.ts';

/** A line whose letters are all ten points wide. */
const line = (text: string, x: number, y: number): LocatedText => ({
  text,
  x,
  y,
  width: 10 * text.length,
  height: 12,
  share: (letters) => letters / text.length,
});
/** In whole points. */
const boxes = (...asked: Parameters<typeof locateWords>) =>
  locateWords(...asked)?.map((area) => Object.values<number>({ ...area } satisfies PageArea).map(Math.round)) ?? null;
const whole = { x: 0, y: 0, width: 1_000, height: 200 };

describe('the boxes of words', () => {
  test('are those of the words alone', () => {
    expect(
      boxes({ before: 'Sales ', quote: 'grew', after: ' by 3 %.' }, [whole], [line('Sales grew by 3 %.', 50, 100)]),
    ).toEqual([[110, 100, 40, 12]]);
  });

  test('go on over the end of a line, where a word may be hyphenated', () => {
    const texts = [line('Sales of um-', 0, 20), line('brellas grew.', 0, 40)];
    expect(boxes({ before: 'Sales of ', quote: 'umbrellas', after: ' grew.' }, [whole], texts)).toEqual([
      [90, 20, 20, 12],
      [0, 40, 70, 12],
    ]);
  });

  test('of a number that stands there twice are those of its own sentence', () => {
    const texts = [line('It was 15 %. It is 15 %.', 0, 20)];
    expect(boxes({ before: 'It is ', quote: '15 %', after: '.' }, [whole], texts)).toEqual([[190, 20, 40, 12]]);
  });

  test('see through ligatures, and join the pieces of one line', () => {
    const texts = [line('proﬁt', 0, 20), line('margin', 60, 20)];
    expect(boxes({ before: '', quote: 'profit margin', after: '' }, [whole], texts)).toEqual([[0, 20, 120, 12]]);
  });

  test('are none where the words are not: what stands elsewhere on the page does not count', () => {
    const texts = [line('Sales grew.', 0, 20)];
    expect(boxes({ before: '', quote: 'Costs fell', after: '' }, [whole], texts)).toBeNull();
    expect(
      boxes({ before: '', quote: 'Sales', after: '' }, [{ x: 0, y: 100, width: 500, height: 20 }], texts),
    ).toBeNull();
  });
});
