import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { klDivergence, mixOf, normalised, riskConcepts, smoothed, type Distribution } from './distribution.ts';
import { mixtureWeight } from './mixture-weight.ts';
import { updatedPrior } from './mixture-weight.ts';

const distribution = fc
  .tuple(...riskConcepts.map(() => fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }))))
  .filter((shares) => shares.some((value) => value > 0))
  .map(([explicit, implicit, none]) => normalised({ explicit: explicit!, implicit: implicit!, none: none! }));

const corner = (concept: keyof Distribution): Distribution => ({ explicit: 0, implicit: 0, none: 0, [concept]: 1 });

describe('equation 5', () => {
  test('α is the true minimum: no point of a fine grid is lower', () => {
    fc.assert(
      fc.property(
        distribution,
        distribution,
        distribution,
        fc.double({ min: 1e-6, max: 0.3, noNaN: true }),
        (auditor, detector, stated, epsilon) => {
          const reference = smoothed(stated, epsilon);
          const alpha = mixtureWeight(auditor, detector, reference);
          const at = (weight: number) => klDivergence(mixOf(weight, auditor, detector), reference);
          const grid = Array.from({ length: 1001 }, (_, index) => at(index / 1000));
          expect(alpha).toBeGreaterThanOrEqual(0);
          expect(alpha).toBeLessThanOrEqual(1);
          expect(at(alpha)).toBeLessThanOrEqual(Math.min(...grid) + 1e-12);
        },
      ),
    );
  });

  test('inside the interval it is the zero of the derivative, to machine precision', () => {
    // A mixture of two corners against a reference on their edge has its minimum where it meets the reference.
    const reference = { explicit: 0.3, implicit: 0, none: 0.7 };
    expect(mixtureWeight(corner('explicit'), corner('none'), reference)).toBeCloseTo(0.3, 15);
  });

  test('who the critic agrees with has all the weight', () => {
    const near = (concept: keyof Distribution) => smoothed(corner(concept), 0.01);
    expect(mixtureWeight(smoothed(corner('explicit'), 0.1), smoothed(corner('none'), 0.1), near('explicit'))).toBe(1);
    expect(mixtureWeight(smoothed(corner('explicit'), 0.1), smoothed(corner('none'), 0.1), near('none'))).toBe(0);
  });

  test('α is one half when auditor and detector coincide', () => {
    fc.assert(
      fc.property(
        distribution,
        distribution,
        (same, stated) => mixtureWeight(same, { ...same }, smoothed(stated, 0.01)) === 0.5,
      ),
    );
  });

  test('a reference with zeros does not break it', () => {
    fc.assert(
      fc.property(distribution, distribution, distribution, (auditor, detector, reference) => {
        const alpha = mixtureWeight(auditor, detector, reference);
        expect(alpha >= 0 && alpha <= 1).toBe(true);
      }),
    );
  });
});

describe('equation 6', () => {
  test('λ = 1 keeps the prior and λ = 0 adopts the feedback', () => {
    fc.assert(
      fc.property(distribution, distribution, (prior, feedback) => {
        for (const concept of riskConcepts) {
          expect(updatedPrior(prior, feedback, 1)[concept]).toBeCloseTo(prior[concept], 12);
          expect(updatedPrior(prior, feedback, 0)[concept]).toBeCloseTo(feedback[concept], 12);
        }
      }),
    );
  });

  test('the more stubborn a role, the nearer it stays to its own opinion', () => {
    const feedback = { explicit: 0, implicit: 0.2, none: 0.8 };
    expect(updatedPrior(corner('explicit'), feedback, 0.75)).toEqual({ explicit: 0.75, implicit: 0.05, none: 0.2 });
  });
});
