import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCalibration, formatRisk, measureRisk, readRisk } from './risk.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const curve = fc.record({
  a: fc.double({ min: 0.1, max: 5, noNaN: true }),
  b: fc.double({ min: -5, max: 5, noNaN: true }),
});

describe('a risk', () => {
  test('is the score where nothing is calibrated, against a bar of one half', () => {
    expect(measureRisk(0.3, null)).toEqual({ risk: 0.3, bar: 0.5 });
    expect(measureRisk(null, null)).toEqual({ risk: null, bar: 0.5 });
  });

  test('reaches its bar exactly when the score reaches one half', () => {
    fc.assert(
      fc.property(curve, share, (fitted, score) => {
        fc.pre(Math.abs(score - 0.5) > 1e-3);
        const { risk, bar } = measureRisk(score, fitted);
        expect(risk! >= bar).toBe(score >= 0.5);
      }),
    );
  });

  test('a fitted bar comes out as it was fitted', () => {
    for (const bar of [0.36, 0.475, 0.171, 0.605])
      expect(measureRisk(null, { a: 1, b: Math.log(bar / (1 - bar)) }).bar).toBe(bar);
  });
});

describe('the risk of a verdict', () => {
  test('is what it states', () => {
    const verdict = { risk: 0.9, bar: 0.4, score: 0.95, probability: 0.9 };
    expect(readRisk(verdict, { a: 1, b: 0 })).toEqual({ risk: 0.9, bar: 0.4 });
  });

  test('of an older answer is its probability, else its score, and the calibration on record says the bar', () => {
    const fitted = { a: 1, b: Math.log(0.36 / 0.64) };
    const probability = applyCalibration(fitted, 0.9);
    expect(readRisk({ score: 0.9, probability }, fitted)).toEqual({ risk: probability, bar: 0.36 });
    expect(readRisk({ score: 0.9, probability: null }, null)).toEqual({ risk: 0.9, bar: 0.5 });
    expect(readRisk({ score: null, probability: null }, fitted)).toBeNull();
  });
});

test('a risk and its bar are told apart, however close they are', () => {
  expect(formatRisk(0.951, 0.36)).toEqual({ risk: '0.95', bar: '0.36' });
  expect(formatRisk(0.3581, 0.36)).toEqual({ risk: '0.358', bar: '0.360' });
  expect(formatRisk(0.36, 0.36)).toEqual({ risk: '0.36', bar: '0.36' });
});
