import type { Scores } from '../figures/set-figures.ts';
import { percent } from './block.ts';
import type { MeasuredSet } from './measured-set.ts';
import { metricTitles, type MetricTitle } from './metric-titles.ts';

export type ScoreMetric = Exclude<keyof Scores, 'items'>;

export interface MetricWords extends MetricTitle {
  write: (value: number) => string;
}

const decimal = (value: number) => value.toFixed(3);

/** Every metric of an item's scores, in the order of tables. */
export const metricWords: Record<ScoreMetric, MetricWords> = {
  accuracy: { ...metricTitles.accuracy, write: percent },
  balancedAccuracy: { ...metricTitles.balancedAccuracy, write: percent },
  macroF1: { ...metricTitles.macroF1, write: percent },
  precision: { ...metricTitles.precision, write: percent },
  recall: { ...metricTitles.recall, write: percent },
  f1: { ...metricTitles.f1, write: percent },
  auc: { ...metricTitles.auc, write: percent },
  averagePrecision: { ...metricTitles.averagePrecision, write: percent },
  recallAt1PercentFpr: { ...metricTitles.recallAt1PercentFpr, write: percent },
  ece: { ...metricTitles.ece, write: decimal },
  brier: { ...metricTitles.brier, write: decimal },
};

/** What a set leads with: what its systems were compared by. */
export function mainMetric({ sheet, figures }: MeasuredSet): 'accuracy' | 'f1' | 'balancedAccuracy' {
  return (
    figures.comparisons[0]?.metric ??
    figures.receipts[0]?.overOpening?.metric ??
    (sheet.positive === null || sheet.job === 'evaluation' ? 'accuracy' : 'f1')
  );
}
