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
