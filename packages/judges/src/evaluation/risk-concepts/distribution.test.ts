import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  jensenShannon,
  klDivergence,
  meanDistribution,
  mixOf,
  normalised,
  riskConcepts,
  riskOf,
  smoothed,
  uniform,
  type Distribution,
} from './distribution.ts';
import { applyReference } from './reference.ts';
import { updatedPrior } from './mixture-weight.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
/** Corners and edges included: models like to state zeros. */
const distribution = fc
  .tuple(...riskConcepts.map(() => fc.oneof(fc.constantFrom(0, 1e-9, 1), share)))
  .filter((shares) => shares.some((value) => value > 0))
  .map(([explicit, implicit, none]) => normalised({ explicit: explicit!, implicit: implicit!, none: none! }));

function expectOnSimplex(result: Distribution): void {
  for (const concept of riskConcepts) expect(result[concept]).toBeGreaterThanOrEqual(0);
  expect(result.explicit + result.implicit + result.none).toBeCloseTo(1, 9);
}

describe('distributions stay on the simplex', () => {
  test('when stated shares are brought to a sum of one, however large or small', () => {
    const any = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(any, any, any, (explicit, implicit, none) => {
        fc.pre(explicit > 0 || implicit > 0 || none > 0);
        expectOnSimplex(normalised({ explicit, implicit, none }));
      }),
    );
  });

  test('when they are mixed, averaged, updated and smoothed', () => {
    fc.assert(
      fc.property(
        distribution,
        distribution,
        share,
        fc.double({ min: 0, max: 1 / 3, noNaN: true }),
        (a, b, weight, epsilon) => {
          expectOnSimplex(mixOf(weight, a, b));
          expectOnSimplex(meanDistribution([a, b, a])!);
          expectOnSimplex(updatedPrior(a, b, weight));
          expectOnSimplex(smoothed(a, epsilon));
          expect(riskOf(a)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test('when a fitted reference is applied', () => {
    const logit = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        distribution,
        fc.double({ min: -5, max: 20, noNaN: true }),
        logit,
        logit,
        logit,
        (stated, temperature, explicit, implicit, none) => {
          expectOnSimplex(applyReference({ temperature, bias: { explicit, implicit, none } }, stated));
        },
      ),
    );
  });
});

test('shares that make no distribution are an error and no guess', () => {
  for (const none of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => normalised({ explicit: 0, implicit: 0, none })).toThrow(
      expect.objectContaining({ code: 'no-distribution' }),
    );
  }
  expect(meanDistribution([])).toBeNull();
});

test('smoothing gives every concept at least ε and leaves the uniform distribution as it is', () => {
  fc.assert(
    fc.property(distribution, (stated) => {
      for (const concept of riskConcepts) expect(smoothed(stated, 0.01)[concept]).toBeGreaterThanOrEqual(0.01 - 1e-15);
    }),
  );
  expect(smoothed(uniform, 0.1).explicit).toBeCloseTo(1 / 3, 12);
});

describe('divergences', () => {
  test('KL is zero for the same, positive for others, infinite where the second excludes what the first allows', () => {
    expect(
      klDivergence({ explicit: 0.5, implicit: 0.5, none: 0 }, { explicit: 0.25, implicit: 0.25, none: 0.5 }),
    ).toBeCloseTo(Math.log(2), 12);
    expect(klDivergence(uniform, uniform)).toBe(0);
    expect(klDivergence(uniform, { explicit: 1, implicit: 0, none: 0 })).toBe(Number.POSITIVE_INFINITY);
  });

  test('Jensen–Shannon is symmetric and lies between 0 and ln 2', () => {
    fc.assert(
      fc.property(distribution, distribution, (a, b) => {
        const divergence = jensenShannon(a, b);
        expect(divergence).toBeCloseTo(jensenShannon(b, a), 12);
        expect(divergence).toBeGreaterThanOrEqual(0);
        expect(divergence).toBeLessThanOrEqual(Math.log(2) + 1e-12);
      }),
    );
    expect(jensenShannon({ explicit: 1, implicit: 0, none: 0 }, { explicit: 0, implicit: 0, none: 1 })).toBeCloseTo(
      Math.log(2),
      12,
    );
    expect(
      jensenShannon({ explicit: 0, implicit: 1, none: 0 }, normalised({ explicit: 1e-300, implicit: 1e-15, none: 1 })),
    ).toBeCloseTo(Math.log(2), 12);
  });
});
