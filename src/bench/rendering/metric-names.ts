import type { Scores } from '../figures/set-figures.ts';
import { percent } from './block.ts';
import type { MeasuredSet } from './measured-set.ts';

export type ScoreMetric = Exclude<keyof Scores, 'items'>;

export interface MetricWords {
  title: string;
  better: 'higher' | 'lower';
  write: (value: number) => string;
}

const decimal = (value: number) => value.toFixed(3);

/** Every metric of an item's scores, in the order of tables. */
export const metricWords: Record<ScoreMetric, MetricWords> = {
  accuracy: { title: 'Accuracy', better: 'higher', write: percent },
  balancedAccuracy: { title: 'Balanced accuracy', better: 'higher', write: percent },
  macroF1: { title: 'Macro F1', better: 'higher', write: percent },
  precision: { title: 'Precision', better: 'higher', write: percent },
  recall: { title: 'Recall', better: 'higher', write: percent },
  f1: { title: 'F1', better: 'higher', write: percent },
  auc: { title: 'AUC', better: 'higher', write: percent },
  averagePrecision: { title: 'Average precision', better: 'higher', write: percent },
  recallAt1PercentFpr: { title: 'Recall at 1 % false alarms', better: 'higher', write: percent },
  ece: { title: 'ECE', better: 'lower', write: decimal },
  brier: { title: 'Brier', better: 'lower', write: decimal },
};

/** What a set leads with: what its systems were compared by. */
export function mainMetric({ sheet, figures }: MeasuredSet): 'accuracy' | 'f1' | 'balancedAccuracy' {
  return figures.comparisons[0]?.metric ?? figures.receipts[0]?.overOpening?.metric ?? (sheet.positive === null || sheet.job === 'evaluation' ? 'accuracy' : 'f1');
}
