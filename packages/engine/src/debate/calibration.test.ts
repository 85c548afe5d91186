import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCalibration } from '../statistics/index.ts';
import { isInDoubt, readCalibration, type FittedCalibration } from './calibration.ts';

const score = fc.double({ min: 0, max: 1, noNaN: true });
const curve = fc.record({
  a: fc.double({ min: 0, max: 20, noNaN: true }),
  b: fc.double({ min: -20, max: 20, noNaN: true }),
});

describe('a calibrated probability', () => {
  test('lies between 0 and 1 and never falls when the score rises', () => {
    fc.assert(
      fc.property(curve, score, score, (fitted, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((value) =>
          applyCalibration(fitted, value),
        );
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(high!);
      }),
    );
  });

  test('is the score itself when nothing was found to correct', () => {
    for (const value of [0.01, 0.3, 0.5, 0.99]) expect(applyCalibration({ a: 1, b: 0 }, value)).toBeCloseTo(value, 12);
  });

  test('follows the curve: the odds of 0.8 to the power of two, halved', () => {
    expect(applyCalibration({ a: 2, b: -Math.LN2 }, 0.8)).toBeCloseTo(8 / 9, 12);
  });
});

test('a probability is in doubt between the ends of the band, and nowhere without one', () => {
  const doubted = [0.29, 0.3, 0.5, 0.7, 0.71].map((probability) =>
    isInDoubt({ a: 1, b: 0, band: [0.3, 0.7] }, probability),
  );
  expect(doubted).toEqual([false, true, true, true, false]);
  expect(isInDoubt({ a: 1, b: 0, band: null }, 0.5)).toBe(false);
});

const fitted: FittedCalibration = {
  version: 1,
  job: 'moderation',
  configuration: 'sha256:1',
  fittedOn: [{ file: 'a.jsonl', sha256: '1', items: 3 }],
  items: 3,
  method: 'platt',
  a: 1.5,
  b: -0.2,
  band: [0.3, 0.7],
  metrics: { before: { ece: 0.1, brier: 0.2 }, after: { ece: 0.05, brier: 0.1 } },
};

test('a calibration is read as it was written', () => {
  expect(readCalibration(JSON.stringify(fitted), 'calibration.json')).toEqual(fitted);
});

test.each([
  ['no JSON', '{'],
  ['a version to come', JSON.stringify({ ...fitted, version: 2 })],
  ['a slope by which a higher score would be safer', JSON.stringify({ ...fitted, a: -1 })],
  ['a band outside of all probabilities', JSON.stringify({ ...fitted, band: [0.5, 1.5] })],
])('%s is no calibration', (_name, json) => {
  expect(() => readCalibration(json, 'calibration.json')).toThrow(
    expect.objectContaining({ code: 'not-a-calibration', message: expect.stringContaining('calibration.json') }),
  );
});
