import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatRisk, measureRisk, readScore } from './risk.ts';

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

const inside = fc.double({ min: 0.05, max: 0.95, noNaN: true });

describe('the score that a risk was made of', () => {
  test('comes out of the curve that made the risk', () => {
    const gentle = fc.record({
      a: fc.double({ min: 0.5, max: 2, noNaN: true }),
      b: fc.double({ min: -2, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(gentle, inside, (fitted, score) => {
        expect(readScore(measureRisk(score, fitted).risk!, fitted)).toBeCloseTo(score, 2);
      }),
    );
    expect(readScore(0.8, null)).toBe(0.8);
  });

  test('lies on the side of one half on which the risk lies of its bar', () => {
    fc.assert(
      fc.property(share, inside, (risk, bar) => {
        fc.pre(Math.abs(risk - bar) > 1e-3);
        expect(readScore(risk, { bar }) >= 0.5).toBe(risk >= bar);
      }),
    );
    expect(readScore(0.8, { bar: 0.5 })).toBe(0.8);
  });
});

test('a risk and its bar are told apart, however close they are', () => {
  expect(formatRisk(0.951, 0.36)).toEqual({ risk: '0.95', bar: '0.36' });
  expect(formatRisk(0.3581, 0.36)).toEqual({ risk: '0.358', bar: '0.360' });
  expect(formatRisk(0.36, 0.36)).toEqual({ risk: '0.36', bar: '0.36' });
});
