import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  brierScore,
  equalMassCalibrationError,
  expectedCalibrationError,
  reliabilityBins,
} from './calibration-error.ts';

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
  expect(
    expectedCalibrationError([
      { probability: 1, unsafe: true },
      { probability: 0.9, unsafe: true },
    ]),
  ).toBeCloseTo(0.05, 12);
});

test('the Brier score is the mean square of the error', () => {
  expect(brierScore(forecasts)).toBeCloseTo((0.15 ** 2 + 0.81 ** 2 + 0.15 ** 2 + 0.85 ** 2) / 4, 12);
});

test('bins of equally many items: the error of 20 forecasts in pairs is that of each pair', () => {
  // Ten pairs around 0.05, 0.15 …, of which the upper item is unsafe: the gap of a pair is |2p − 1|.
  const pairs = Array.from({ length: 10 }, (_, bin) => [
    { probability: bin / 10 + 0.04, unsafe: false },
    { probability: bin / 10 + 0.06, unsafe: true },
  ]).flat();
  expect(equalMassCalibrationError(pairs)).toBeCloseTo((2 * (0.9 + 0.7 + 0.5 + 0.3 + 0.1)) / 20, 12);
  expect(equalMassCalibrationError(pairs.toReversed())).toBeCloseTo(equalMassCalibrationError(pairs)!, 12);
});

test('forecasts with the same probability stay in one bin', () => {
  expect(
    equalMassCalibrationError(Array.from({ length: 20 }, (_, index) => ({ probability: 0.5, unsafe: index < 10 }))),
  ).toBe(0);
  expect(equalMassCalibrationError([])).toBeNull();
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
