import { mixOf, riskConcepts, sumOver, type Distribution } from './distribution.ts';

/**
 * Equation 5: the α in [0, 1] at which KL(α·auditor + (1−α)·detector ‖ reference) is least. The divergence is convex
 * in α, so its derivative never falls: an end point where it already points outwards is the minimum, else its one
 * zero is. Where auditor and detector coincide every α is as good, and ½ favours neither.
 */
export function mixtureWeight(auditor: Distribution, detector: Distribution, reference: Distribution): number {
  if (riskConcepts.every((concept) => Math.abs(auditor[concept] - detector[concept]) < 1e-14)) return 1 / 2;
  if (slope(0) >= 0) return 0;
  if (slope(1) <= 0) return 1;
  let low = 0;
  let high = 1;
  for (let middle = 1 / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (slope(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;

  /** The derivative's constant term falls away, since both distributions have the same sum. */
  function slope(alpha: number): number {
    return sumOver((concept) => {
      const difference = auditor[concept] - detector[concept];
      const mixed = alpha * auditor[concept] + (1 - alpha) * detector[concept];
      // Zero has no logarithm: the smallest number stands for it, and no minimum is moved by as much as can be told.
      return (
        difference *
        (Math.log(Math.max(mixed, Number.MIN_VALUE)) - Math.log(Math.max(reference[concept], Number.MIN_VALUE)))
      );
    });
  }
}

/** Equation 6: a role keeps λ of its own opinion and takes the rest from the feedback. */
export function updatedPrior(prior: Distribution, feedback: Distribution, stubbornness: number): Distribution {
  return mixOf(stubbornness, prior, feedback);
}
