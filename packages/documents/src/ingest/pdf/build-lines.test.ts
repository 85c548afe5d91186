import { describe, expect, test } from 'vitest';
import { buildLines, buildSegments, hasGapBefore } from './build-lines.ts';
import type { GlyphRun } from './read-runs.ts';

/** A run of letters, half as wide as they are high. */
function run(text: string, x: number, more: Partial<GlyphRun> = {}): GlyphRun {
  const { size = 10, baseline = 100 } = more;
  const width = more.width ?? (text.length * size) / 2;
  return {
    text,
    x,
    width,
    size,
    baseline,
    y: baseline - size * 0.8,
    height: size,
    bold: false,
    italic: false,
    spaced: false,
    ...more,
  };
}
const textsOf = (...runs: GlyphRun[]) => buildSegments(runs).map(({ text }) => text);
const linesOf = (...runs: GlyphRun[]) => buildLines(buildSegments(runs));

describe('runs on a line', () => {
  test('are words where a gap is between them, and one word where there is none', () => {
    expect(textsOf(run('Reve', 0), run('nue', 20), run('grew', 38))).toEqual(['Revenue grew']);
    expect(textsOf(run('by', 0), run('4', 12), run('.', 17.5))).toEqual(['by 4.']);
    expect(hasGapBefore(run('a', 0), run('b', 5, { spaced: true }))).toBe(true);
    expect(hasGapBefore(run('a', 0), run('.', 5, { spaced: true }))).toBe(false);
  });

  test('are cells where the gap is wide, and numbers are sooner', () => {
    expect(textsOf(run('Revenue', 0), run('total', 44))).toEqual(['Revenue total']);
    expect(textsOf(run('Revenue', 0), run('total', 45))).toEqual(['Revenue', 'total']);
    expect(textsOf(run('12', 0), run('34', 15))).toEqual(['12 34']);
    expect(textsOf(run('12', 0), run('34', 16))).toEqual(['12', '34']);
  });

  test('come in the order in which they stand, whatever the file says', () => {
    const lines = linesOf(
      run('two', 0, { baseline: 120 }),
      run('b', 20),
      run('a', 0),
      run('three', 0, { baseline: 140 }),
    );
    expect(lines.map(({ text }) => text)).toEqual(['a b', 'two', 'three']);
  });

  test('share a line while their baselines are nearly one', () => {
    expect(linesOf(run('a', 0), run('b', 6, { baseline: 102 }))).toHaveLength(1);
    expect(linesOf(run('a', 0), run('b', 6, { baseline: 103 }))).toHaveLength(2);
  });

  test('make a line of the size of most of its letters, that is bold or italic as a whole alone', () => {
    const [line] = linesOf(
      run('A', 0, { size: 9, bold: true }),
      run('longer words', 6, { size: 10 }),
      run('s', 70, { size: 9.5 }),
    );
    expect(line).toMatchObject({ size: 10, bold: false, baseline: 100 });
    expect(linesOf(run('a', 0, { bold: true }), run('b', 6, { bold: true }))[0]!.bold).toBe(true);
    expect(linesOf(run('a', 0, { italic: true }), run('b', 6))[0]!.italic).toBe(false);
  });

  test('that stand raised and small are marks of the word they touch', () => {
    expect(textsOf(run('Revenue', 0), run('2', 35.5, { size: 6, baseline: 96 }))).toEqual(['Revenue²']);
    expect(textsOf(run('CO', 0), run('2', 10.5, { size: 6, baseline: 102.5 }))).toEqual(['CO2']);
    expect(linesOf(run('Revenue', 0), run('2', 60, { size: 6, baseline: 96 }))).toHaveLength(2);
  });

  test('of a justified line are words, however wide the gaps', () => {
    const words = ['when', 'managers', 'of', 'stores', 'meet'];
    let x = 0;
    const runs = words.map((word) => {
      const one = run(word, x);
      x += one.width + 14;
      return one;
    });
    expect(textsOf(...runs)).toEqual([words.join(' ')]);
    expect(textsOf(...runs.slice(0, 2))).toHaveLength(2);
  });
});
