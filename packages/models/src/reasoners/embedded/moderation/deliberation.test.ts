import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shippedWeights } from '../weights.ts';
import { computeLeaning } from './deliberation.ts';

const weights = shippedWeights.precedents;
const leaning = (precedents: Parameters<typeof computeLeaning>[0]) => computeLeaning(precedents, weights, 'text');

const precedent = fc.record({
  label: fc.constantFrom('safe' as const, 'unsafe' as const),
  similarity: fc.double({ min: 0.8, max: 0.98, noNaN: true }),
  confirmedBy: fc.constantFrom('seed', 'a person', 'import'),
});
const few = fc.array(precedent, { maxLength: 9 });
const opposite = { safe: 'unsafe', unsafe: 'safe' } as const;

describe('what precedents say', () => {
  test('without any it is nothing', () => {
    expect(leaning([])).toBe(0);
  });

  test('with all labels turned round it is the opposite', () => {
    fc.assert(
      fc.property(few, (precedents) => {
        expect(leaning(precedents.map((one) => ({ ...one, label: opposite[one.label] })))).toBeCloseTo(
          -leaning(precedents),
          9,
        );
      }),
    );
  });

  test('another unsafe case adds to it and another safe one takes off, the more the more alike it is', () => {
    fc.assert(
      fc.property(few, precedent, fc.double({ min: 0.001, max: 0.02, noNaN: true }), (precedents, one, nearer) => {
        const sign = one.label === 'unsafe' ? 1 : -1;
        const [before, after, closer] = [
          precedents,
          [...precedents, one],
          [...precedents, { ...one, similarity: one.similarity + nearer }],
        ].map(leaning) as [number, number, number];
        expect(sign * (after - before)).toBeGreaterThan(0);
        expect(sign * (closer - after)).toBeGreaterThan(0);
      }),
    );
  });

  test('a remote case hardly moves it', () => {
    expect(leaning([{ label: 'unsafe', similarity: weights.remote - 5 * weights.spread }])).toBeLessThan(0.01);
    expect(leaning([{ label: 'unsafe', similarity: weights.remote + 3 * weights.spread }])).toBeGreaterThan(3);
  });

  test('any number of seeds leaves what a confirmed case says as it is, and the other way round', () => {
    const seeds = Array.from({ length: 40 }, () => ({
      label: 'unsafe' as const,
      similarity: 0.93,
      confirmedBy: 'seed',
    }));
    const confirmed = { label: 'safe' as const, similarity: 0.9, confirmedBy: 'a person' };
    expect(leaning([...seeds, confirmed])).toBeCloseTo(leaning(seeds) + leaning([confirmed]), 9);
    expect(leaning([confirmed])).toBeLessThan(-1);
  });

  test.each([
    ['seed', 10],
    ['a person', 20],
  ])('of those confirmed by %s only the nearest %i are heard, in whatever order they come', (confirmedBy, most) => {
    const near = Array.from({ length: most }, (_, index) => ({
      label: 'unsafe' as const,
      similarity: 0.9 + index / 1000,
      confirmedBy,
    }));
    const far = Array.from({ length: 5 }, () => ({ label: 'safe' as const, similarity: 0.85, confirmedBy }));
    expect(leaning([...far, ...near])).toBe(leaning(near.toReversed()));
    expect(leaning([...far, ...near.slice(1)])).toBeLessThan(leaning(near.slice(1)));
  });

  test('cases that were decided right count up to twice as much, mistakes alone and imported ones as they are', () => {
    const cases = (lessons: ('mistake' | 'confirmation' | undefined)[]) =>
      lessons.map((lesson) => ({
        label: 'unsafe' as const,
        similarity: 0.9,
        confirmedBy: 'a person',
        ...(lesson ? { lesson } : {}),
      }));
    const [imported, mistakes, both, right] = [
      [undefined, undefined],
      ['mistake', 'mistake'],
      ['mistake', 'confirmation'],
      ['confirmation', 'confirmation'],
    ].map((lessons) => leaning(cases(lessons as ('mistake' | 'confirmation' | undefined)[]))) as [
      number,
      number,
      number,
      number,
    ];
    expect(mistakes).toBe(imported);
    expect(both).toBeCloseTo(1.5 * mistakes, 9);
    expect(right).toBeCloseTo(2 * mistakes, 9);
  });

  test('where an image is judged, a case of another modality counts e times less; where a text is, as much as any', () => {
    const [picture, text, unknown] = (['image', 'text', undefined] as const).map((modality) => [
      { label: 'unsafe' as const, similarity: 0.9, ...(modality ? { modality } : {}) },
    ]);
    const counted = (said: number) => Math.exp(said) - 1;
    const [own, other, untold] = [picture!, text!, unknown!].map((precedents) =>
      counted(computeLeaning(precedents, weights, 'image')),
    );
    expect(other! * Math.E).toBeCloseTo(own!, 9);
    expect(untold).toBeCloseTo(own!, 9);
    expect(leaning(picture!)).toBeCloseTo(leaning(text!), 9);
  });

  test('who does not say who confirmed it is a seed', () => {
    const [nameless, named] = [
      { label: 'unsafe' as const, similarity: 0.9 },
      { label: 'safe' as const, similarity: 0.9, confirmedBy: 'seed' },
    ];
    expect(leaning([nameless, named])).toBe(0);
  });
});
