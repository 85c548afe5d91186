import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brierScore, expectedCalibrationError } from './calibration-error.ts';

const forecasts = [
  { probability: 0.85, unsafe: true },
  { probability: 0.81, unsafe: false },
  { probability: 0.15, unsafe: false },
  { probability: 0.15, unsafe: true },
];

test('the expected calibration error is the weighted gap of ten bins of equal width', () => {
  // Bin 0.8 to 0.9: mean 0.83, half unsafe; bin 0.1 to 0.2: mean 0.15, half unsafe.
  expect(expectedCalibrationError(forecasts)).toBeCloseTo((2 * 0.33 + 2 * 0.35) / 4, 12);
});

test('a probability of 1 falls into the last bin', () => {
  expect(expectedCalibrationError([{ probability: 1, unsafe: true }, { probability: 0.9, unsafe: true }])).toBeCloseTo(0.05, 12);
});

test('the Brier score is the mean square of the error', () => {
  expect(brierScore(forecasts)).toBeCloseTo((0.15 ** 2 + 0.81 ** 2 + 0.15 ** 2 + 0.85 ** 2) / 4, 12);
});

test('nothing to measure is null', () => {
  expect([expectedCalibrationError([]), brierScore([])]).toEqual([null, null]);
});

test('both lie between 0 and 1, and are 0 for an oracle', () => {
  const forecast = fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }), unsafe: fc.boolean() });
  fc.assert(
    fc.property(fc.array(forecast, { minLength: 1 }), (some) => {
      for (const value of [expectedCalibrationError(some)!, brierScore(some)!]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      const oracle = some.map(({ unsafe }) => ({ unsafe, probability: Number(unsafe) }));
      expect([expectedCalibrationError(oracle), brierScore(oracle)]).toEqual([0, 0]);
    }),
  );
});
