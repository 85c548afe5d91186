import { AgonError } from '@agonhq/engine/agon-error';

/** RADAR's risk-concept space: a direct breach of the policy, a risk that only context shows, and no risk. */
export const riskConcepts = ['explicit', 'implicit', 'none'] as const;
export type RiskConcept = (typeof riskConcepts)[number];

/** How likely each concept is: non-negative, of sum one. */
export type Distribution = Readonly<Record<RiskConcept, number>>;

export const uniform: Distribution = { explicit: 1 / 3, implicit: 1 / 3, none: 1 / 3 };

/** What a function gives for each concept. */
export function byConcept(share: (concept: RiskConcept) => number): Distribution {
  return { explicit: share('explicit'), implicit: share('implicit'), none: share('none') };
}

/** Brings shares to a sum of one. */
export function normalised(shares: Distribution): Distribution {
  const largest = Math.max(...riskConcepts.map((concept) => shares[concept]));
  if (!(largest > 0) || !Number.isFinite(largest)) {
    throw new AgonError(
      'no-distribution',
      'The shares of the three risk concepts make no distribution.',
      'They must be finite, not negative, and not all zero.',
    );
  }
  // Divided by the largest first: shares near the largest double would have no finite sum.
  // And shares that underflow when they are halved are none, lest two mixtures of the same differ by infinity.
  const scaled = byConcept((concept) => (shares[concept] / largest < 1e-300 ? 0 : shares[concept] / largest));
  const sum = sumOver((concept) => scaled[concept]);
  return byConcept((concept) => scaled[concept] / sum);
}

/** The mean of several distributions, or null of none. */
export function meanDistribution(distributions: readonly Distribution[]): Distribution | null {
  if (distributions.length === 0) return null;
  return normalised(
    byConcept(
      (concept) => distributions.reduce((sum, distribution) => sum + distribution[concept], 0) / distributions.length,
    ),
  );
}

/** α·a + (1−α)·b. */
export function mixOf(alpha: number, a: Distribution, b: Distribution): Distribution {
  return normalised(byConcept((concept) => alpha * a[concept] + (1 - alpha) * b[concept]));
}

/** Mixes in as much of the uniform distribution as gives each concept at least ε (of at most a third). */
export function smoothed(distribution: Distribution, epsilon: number): Distribution {
  return byConcept((concept) => epsilon + (1 - 3 * epsilon) * distribution[concept]);
}

/** KL(p ‖ q) in nats: infinite where p has something and q nothing. */
export function klDivergence(p: Distribution, q: Distribution): number {
  return Math.max(
    0,
    sumOver((concept) => (p[concept] === 0 ? 0 : p[concept] * Math.log(p[concept] / q[concept]))),
  );
}

/** The Jensen–Shannon divergence in nats: symmetric, from 0 to ln 2. */
export function jensenShannon(p: Distribution, q: Distribution): number {
  // Not brought to a sum of one again, which would drop the least shares: half of what one has is never nothing.
  const middle = byConcept((concept) => p[concept] / 2 + q[concept] / 2);
  return (klDivergence(p, middle) + klDivergence(q, middle)) / 2;
}

/** The share of the two risks together: how likely the response is unsafe. */
export function riskOf(distribution: Distribution): number {
  return Math.min(1, distribution.explicit + distribution.implicit);
}

export function sumOver(term: (concept: RiskConcept) => number): number {
  return riskConcepts.reduce((sum, concept) => sum + term(concept), 0);
}
