import { mixOf, type Distribution } from './distribution.ts';

/** Equation 6: a role keeps λ of its own opinion and takes the rest from the feedback. */
export function updatedPrior(prior: Distribution, feedback: Distribution, stubbornness: number): Distribution {
  return mixOf(stubbornness, prior, feedback);
}
