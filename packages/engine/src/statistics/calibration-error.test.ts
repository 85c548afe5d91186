import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brierScore, expectedCalibrationError, reliabilityBins } from './calibration-error.ts';

const forecasts = [
  { probability: 0.85, positive: true },
  { probability: 0.81, positive: false },
  { probability: 0.15, positive: false },
  { probability: 0.15, positive: true },
];

test('the expected calibration error is the weighted gap of ten bins of equal width', () => {
  // Bin 0.8 to 0.9: mean 0.83, half positive; bin 0.1 to 0.2: mean 0.15, half positive.
  expect(expectedCalibrationError(forecasts)).toBeCloseTo((2 * 0.33 + 2 * 0.35) / 4, 12);
});

test('a probability of 1 falls into the last bin', () => {
  expect(
    expectedCalibrationError([
      { probability: 1, positive: true },
      { probability: 0.9, positive: true },
    ]),
  ).toBeCloseTo(0.05, 12);
});

test('the Brier score is the mean square of the error', () => {
  expect(brierScore(forecasts)).toBeCloseTo((0.15 ** 2 + 0.81 ** 2 + 0.15 ** 2 + 0.85 ** 2) / 4, 12);
});

test('reliability bins hold the mean probability and the share that came true, with its Wilson interval', () => {
  const all = reliabilityBins(forecasts);
  expect(all.map(({ items }) => items)).toEqual([0, 2, 0, 0, 0, 0, 0, 0, 2, 0]);
  // Of 1 in 2, Wilson's interval is one half ± z / (2 √(2 + z²)).
  const half = 1.959963984540054 / (2 * Math.sqrt(2 + 1.959963984540054 ** 2));
  expect(all[8]).toEqual({
    from: 0.8,
    to: 0.9,
    items: 2,
    meanProbability: expect.closeTo(0.83, 12),
    share: 0.5,
    interval: [expect.closeTo(0.5 - half, 9), expect.closeTo(0.5 + half, 9)],
  });
  expect(all[0]).toEqual({ from: 0, to: 0.1, items: 0, meanProbability: null, share: null, interval: null });
});

test('nothing to measure is null', () => {
  expect([expectedCalibrationError([]), brierScore([])]).toEqual([null, null]);
});

test('both lie between 0 and 1, and are 0 for an oracle', () => {
  const forecast = fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }), positive: fc.boolean() });
  fc.assert(
    fc.property(fc.array(forecast, { minLength: 1 }), (some) => {
      for (const value of [expectedCalibrationError(some)!, brierScore(some)!]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      const oracle = some.map(({ positive }) => ({ positive, probability: Number(positive) }));
      expect([expectedCalibrationError(oracle), brierScore(oracle)]).toEqual([0, 0]);
    }),
  );
});
