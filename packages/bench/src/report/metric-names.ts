import type { Scores } from '../figures/set-figures.ts';
import { writePercent, type MeasuredSet } from './block.ts';

/** What a metric is called, and which way is good. Pages in a browser say the same. */
export interface MetricTitle {
  title: string;
  better: 'higher' | 'lower';
}

export const metricTitles = {
  accuracy: { title: 'Accuracy', better: 'higher' },
  balancedAccuracy: { title: 'Balanced accuracy', better: 'higher' },
  macroF1: { title: 'Macro F1', better: 'higher' },
  precision: { title: 'Precision', better: 'higher' },
  recall: { title: 'Recall', better: 'higher' },
  f1: { title: 'F1', better: 'higher' },
  auc: { title: 'AUC', better: 'higher' },
  averagePrecision: { title: 'Average precision', better: 'higher' },
  recallAt1PercentFpr: { title: 'Recall at 1 % false alarms', better: 'higher' },
  ece: { title: 'ECE', better: 'lower' },
  brier: { title: 'Brier', better: 'lower' },
  kappa: { title: 'κ', better: 'higher' },
} as const satisfies Record<string, MetricTitle>;

export type ScoreMetric = Exclude<keyof Scores, 'items'>;

export interface MetricFormat extends MetricTitle {
  write: (value: number) => string;
}

const decimal = (value: number) => value.toFixed(3);

/** Every metric of an item's scores, in the order of tables. */
export const metricFormats: Record<ScoreMetric, MetricFormat> = {
  accuracy: { ...metricTitles.accuracy, write: writePercent },
  balancedAccuracy: { ...metricTitles.balancedAccuracy, write: writePercent },
  macroF1: { ...metricTitles.macroF1, write: writePercent },
  precision: { ...metricTitles.precision, write: writePercent },
  recall: { ...metricTitles.recall, write: writePercent },
  f1: { ...metricTitles.f1, write: writePercent },
  auc: { ...metricTitles.auc, write: writePercent },
  averagePrecision: { ...metricTitles.averagePrecision, write: writePercent },
  recallAt1PercentFpr: { ...metricTitles.recallAt1PercentFpr, write: writePercent },
  ece: { ...metricTitles.ece, write: decimal },
  brier: { ...metricTitles.brier, write: decimal },
};

/** What a set leads with: what its systems were compared by. */
export function mainMetric({ job, figures }: MeasuredSet): 'accuracy' | 'f1' | 'balancedAccuracy' {
  return figures.comparisons[0]?.metric ?? figures.receipts[0]?.overOpening?.metric ?? job.leadingMetric;
}
