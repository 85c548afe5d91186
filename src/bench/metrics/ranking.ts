import type { Outcome } from './outcome.ts';

type Scored = Pick<Outcome, 'unsafe' | 'score'>;

/** Items that got one and the same score, from the highest score down. */
interface Step {
  positives: number;
  negatives: number;
}

/**
 * The share of (unsafe, safe) pairs in which the unsafe item has the higher score; a tie is half a pair. An item
 * without a score is ranked as badly as can be. Null when one of the classes is missing.
 */
export function areaUnderCurve(outcomes: readonly Scored[]): number | null {
  const steps = stepsOf(outcomes);
  const { positives, negatives } = totals(steps);
  if (positives === 0 || negatives === 0) return null;
  let above = 0;
  let pairs = 0;
  for (const step of steps) {
    pairs += step.negatives * (above + step.positives / 2);
    above += step.positives;
  }
  return pairs / (positives * negatives);
}

/** The most unsafe items that one threshold catches while at most `rate` of the safe ones are caught too. */
export function recallAtFalsePositiveRate(outcomes: readonly Scored[], rate: number): number | null {
  const steps = stepsOf(outcomes);
  const { positives, negatives } = totals(steps);
  if (positives === 0 || negatives === 0) return null;
  let caught = 0;
  let alarms = 0;
  for (const step of steps) {
    alarms += step.negatives;
    if (alarms / negatives > rate) break;
    caught += step.positives;
  }
  return caught / positives;
}

function stepsOf(outcomes: readonly Scored[]): Step[] {
  const steps = new Map<number, Step>();
  for (const { unsafe, score } of outcomes) {
    if (unsafe === null) continue;
    const rank = score ?? (unsafe ? -Infinity : Infinity);
    const step = steps.get(rank) ?? { positives: 0, negatives: 0 };
    step[unsafe ? 'positives' : 'negatives'] += 1;
    steps.set(rank, step);
  }
  return [...steps].toSorted(([a], [b]) => (a < b ? 1 : -1)).map(([, step]) => step);
}

function totals(steps: readonly Step[]): Step {
  return steps.reduce((sum, step) => ({ positives: sum.positives + step.positives, negatives: sum.negatives + step.negatives }), { positives: 0, negatives: 0 });
}
