import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCalibration } from '@agonhq/engine/statistics';
import { fitPlatt } from './fit-calibration.ts';

/** Items whose share of unsafe ones at each score is what the curve says, as nearly as whole items can. */
function drawnFrom(curve: { a: number; b: number }, perScore = 200) {
  return Array.from({ length: 19 }, (_, index) => (index + 1) / 20).flatMap((score) =>
    Array.from({ length: perScore }, (_, index) => ({
      score,
      unsafe: index < Math.round(applyCalibration(curve, score) * perScore),
    })),
  );
}

describe('Platt scaling', () => {
  test.each([
    { a: 1, b: 0 },
    { a: 0.4, b: 0.7 },
    { a: 2.5, b: -1.2 },
  ])('finds the curve that the data was drawn from: %j', (curve) => {
    const fitted = fitPlatt(drawnFrom(curve), { temperature: false });
    expect(fitted.a).toBeCloseTo(curve.a, 1);
    expect(fitted.b).toBeCloseTo(curve.b, 1);
  });

  test('with temperature alone keeps a score of one half where it is', () => {
    const fitted = fitPlatt(drawnFrom({ a: 0.4, b: 0 }), { temperature: true });
    expect(fitted.a).toBeCloseTo(0.4, 1);
    expect(fitted.b).toBe(0);
  });

  test('stays finite where the scores part the classes without an error', () => {
    const { a, b } = fitPlatt(
      [0.1, 0.2, 0.8, 0.9].map((score) => ({ score, unsafe: score > 0.5 })),
      { temperature: false },
    );
    expect(a).toBeGreaterThan(1);
    expect(a).toBeLessThan(10);
    expect(Math.abs(b)).toBeLessThan(0.1);
  });

  test('never turns the order of scores round', () => {
    expect(
      fitPlatt(
        [0.1, 0.2, 0.8, 0.9].map((score) => ({ score, unsafe: score < 0.5 })),
        { temperature: false },
      ).a,
    ).toBe(0);
    const item = fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), unsafe: fc.boolean() });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 40 }), fc.boolean(), (items, temperature) => {
        const { a, b } = fitPlatt(items, { temperature });
        expect(a).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(a) && Number.isFinite(b)).toBe(true);
      }),
    );
  });
});
