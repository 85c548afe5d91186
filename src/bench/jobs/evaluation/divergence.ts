import { klDivergence, smoothed, type Distribution } from '../../../jobs/evaluation/index.ts';
import type { KeptSafety } from '../safety/run-safety.ts';
import { listRepeats, type EvaluatorRuns, type ExchangeOutcome } from './figures.ts';
import { meanOf } from '../../../statistics/index.ts';

/** Equation 2 for a pair of evaluators: the mean over items of KL(first ‖ second), in nats. */
export interface Divergence {
  first: string;
  second: string;
  /** Null when no item has a distribution by both. */
  value: number | null;
  /** What was compared: the three risk concepts, or safe and unsafe alone where one of the two states no concepts. */
  over: 'concepts' | 'labels';
  /** How many judgements were compared. */
  items: number;
  /** Whether it reaches δ: the two are biased relative to each other. */
  breach: boolean;
}

/**
 * What either side of a pair gives every concept at least: a certain answer would be infinitely far from its
 * opposite.
 */
export const divergenceSmoothing = 0.01;

export function measureDivergences(evaluators: readonly EvaluatorRuns[], delta: number): Divergence[] {
  return evaluators.flatMap((first) =>
    evaluators.filter((second) => second !== first).map((second) => divergence(first, second, delta)),
  );
}

function divergence(first: EvaluatorRuns, second: EvaluatorRuns, delta: number): Divergence {
  const others = listRepeats(second);
  const pairs = listRepeats(first)
    .flatMap((outcomes, repeat) => outcomes.map((outcome, item) => [outcome, others[repeat]![item]!] as const))
    .filter(([one, other]) => one.judged && other.judged);
  // An item on which nobody was heard has no distribution; an evaluator that states none has none on any item.
  const over = pairs.some((pair) => pair.every(({ judged }) => judged!.evaluation?.distribution))
    ? 'concepts'
    : 'labels';
  const distributionOf = ({ judged }: ExchangeOutcome) =>
    over === 'concepts' ? (judged!.evaluation?.distribution ?? null) : labelDistribution(judged!);
  const values = pairs.flatMap((pair) => {
    const [one, other] = pair.map(distributionOf);
    return one && other ? [klDivergence(smoothed(one, divergenceSmoothing), smoothed(other, divergenceSmoothing))] : [];
  });
  const value = meanOf(values);
  return {
    first: first.evaluator.name,
    second: second.evaluator.name,
    value,
    over,
    items: values.length,
    breach: value !== null && value >= delta,
  };
}

/** Safe and unsafe alone, as a distribution with all risk on one concept; null when nothing was said. */
function labelDistribution({ label, score, probability, evaluation }: KeptSafety): Distribution | null {
  const stated = evaluation?.distribution;
  const unsafe = stated ? 1 - stated.none : (probability ?? score ?? { safe: 0, unsafe: 1, undecided: null }[label]);
  return unsafe === null ? null : { explicit: unsafe, implicit: 0, none: 1 - unsafe };
}
