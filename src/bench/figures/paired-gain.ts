import {
  balancedAccuracy,
  bootstrapStatistics,
  type ConfusionMatrix,
  countMatrix,
  drawResamples,
  type Estimate,
  f1,
  matrixAccuracy,
  meanOf,
  oneAgainstAll,
  pairedDifference,
  placeInMatrix,
} from '../../statistics/index.ts';

/** One item as two systems judged it; `gold` is null for a broken line. */
export interface SaidTwice {
  gold: string | null;
  /** What is held against. */
  from: string;
  to: string;
}

/** Repeats with a place for each item; null where an item is left out of both sides. */
export type Pairs = readonly (readonly (SaidTwice | null)[])[];

export interface GainRule {
  metric: 'accuracy' | 'f1' | 'balancedAccuracy';
  classes: readonly string[];
  positive: string | null;
}

/**
 * By how much `to` exceeds `from` as the mean over repeats. Both sides are drawn alike, an item with all its repeats.
 */
export function pairedGain(pairs: Pairs, { metric, classes, positive }: GainRule, seed = 1): Estimate {
  const scores: Record<GainRule['metric'], (table: ConfusionMatrix) => number | null> = {
    accuracy: matrixAccuracy,
    balancedAccuracy,
    f1: (table) => f1(oneAgainstAll(table, classes.indexOf(positive!))),
  };
  const resamples = drawResamples(seed);
  const side = (of: 'from' | 'to') => {
    const repeats = pairs.map((repeat) =>
      placeInMatrix(
        repeat.map((pair) => pair && { gold: pair.gold, said: pair[of] }),
        { classes, leaveOut: false, alarms: positive !== null },
      ),
    );
    return bootstrapStatistics(resamples, pairs[0]?.length ?? 0, (weights) => ({
      gain: meanOf(repeats.map((cells) => scores[metric](countMatrix(cells, weights)))),
    }));
  };
  return pairedDifference(side('to'), side('from'), 'gain').difference;
}
