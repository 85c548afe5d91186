import { bootstrapInterval, type Interval } from './bootstrap.ts';
import { expectedCalibrationError, type Forecast } from './calibration-error.ts';
import { accuracy, confusionOf, f1, precision, recall, type Confusion } from './confusion.ts';
import type { Outcome } from './outcome.ts';
import { areaUnderCurve, recallAtFalsePositiveRate } from './ranking.ts';

/** Null where the data gives nothing to measure, for example the recall of a set without unsafe items. */
export interface Metrics {
  accuracy: number | null;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  auc: number | null;
  ece: number | null;
  recallAt1PercentFpr: number | null;
  undecided: number;
  failed: number;
}

const counted = { f1, accuracy, precision, recall };

export function metricsOf(outcomes: readonly Outcome[]): Metrics {
  const confusion = confusionOf(outcomes);
  return {
    accuracy: accuracy(confusion),
    precision: precision(confusion),
    recall: recall(confusion),
    f1: f1(confusion),
    auc: areaUnderCurve(outcomes),
    ece: expectedCalibrationError(forecastsOf(outcomes)),
    recallAt1PercentFpr: recallAtFalsePositiveRate(outcomes, 0.01),
    undecided: outcomes.filter(({ said }) => said === 'undecided').length,
    failed: outcomes.filter(({ said }) => said === 'failed').length,
  };
}

export type Intervals = Record<keyof typeof counted, Interval | null>;

export function intervalsOf(outcomes: readonly Outcome[]): Intervals {
  const interval = (statistic: (confusion: Confusion) => number | null) => bootstrapInterval(outcomes, (sample) => statistic(confusionOf(sample)));
  return { f1: interval(f1), accuracy: interval(accuracy), precision: interval(precision), recall: interval(recall) };
}

/** By how much one system's F1 exceeds another's on the same items, item by item the same draws. */
export function f1Difference(outcomes: readonly Outcome[], other: readonly Outcome[]): { value: number | null; interval: Interval | null } {
  const difference = (pairs: readonly (readonly [Outcome, Outcome])[]) => {
    const [mine, theirs] = [f1(confusionOf(pairs.map(([first]) => first))), f1(confusionOf(pairs.map(([, second]) => second)))];
    return mine === null || theirs === null ? null : mine - theirs;
  };
  const pairs = outcomes.map((outcome, index) => [outcome, other[index]!] as const);
  return { value: difference(pairs), interval: bootstrapInterval(pairs, difference) };
}

function forecastsOf(outcomes: readonly Outcome[]): Forecast[] {
  return outcomes.flatMap(({ unsafe, score }) => (unsafe === null || score === null ? [] : [{ unsafe, probability: score }]));
}
