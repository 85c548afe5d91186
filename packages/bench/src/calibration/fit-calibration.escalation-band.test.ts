import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escalationBand, wilsonUpperBound } from './fit-calibration.ts';

/**
 * A hundred items at each step of 0.05, of which a verdict at one half is wrong as often as a true probability says.
 */
const steps = Array.from({ length: 19 }, (_, index) => (index + 1) / 20);
const calibrated = steps.flatMap((probability) =>
  Array.from({ length: 100 }, (_, index) => ({
    probability,
    wrong: index < Math.round(100 * Math.min(probability, 1 - probability)),
  })),
);

describe('the escalation band', () => {
  test('lies around the threshold, where a quarter of the verdicts may be wrong', () => {
    const [low, high] = escalationBand(calibrated, 0.5)!;
    expect(low).toBeCloseTo(0.2, 9);
    expect(high).toBeCloseTo(0.8, 9);
  });

  test('is absent where verdicts are right', () => {
    expect(
      escalationBand(
        calibrated.map(({ probability }) => ({ probability, wrong: false })),
        0.5,
      ),
    ).toBeNull();
  });

  test('lies on one side when the other can be trusted', () => {
    expect(
      escalationBand(
        calibrated.map(({ probability, wrong }) => ({ probability, wrong: wrong && probability >= 0.5 })),
        0.5,
      ),
    ).toEqual([0.5, expect.closeTo(0.8, 9)]);
  });

  test('covers everything while there is too little to trust any verdict', () => {
    expect(
      escalationBand(
        [
          { probability: 0.1, wrong: false },
          { probability: 0.9, wrong: false },
        ],
        0.5,
      ),
    ).toEqual([0.1, 0.9]);
  });

  test('always holds the threshold', () => {
    const trial = fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }), wrong: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(trial, { maxLength: 120 }),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        (trials, threshold) => {
          const band = escalationBand(trials, threshold);
          if (band) expect(band[0] <= threshold && threshold <= band[1] && band[0] < band[1]).toBe(true);
        },
      ),
    );
  });
});

test('the Wilson bound is the one of the textbooks: 2 of 20, 0 of 10', () => {
  expect(wilsonUpperBound(2, 20)).toBeCloseTo(0.301, 3);
  expect(wilsonUpperBound(0, 10)).toBeCloseTo(0.2775, 3);
  expect(wilsonUpperBound(0, 0)).toBe(1);
});
