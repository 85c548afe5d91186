/* What the metrics of a bench are called, and how they are written. */

interface MetricWords {
  title: string;
  /** Which way is good. */
  better: 'higher' | 'lower';
}

const known: Record<string, MetricWords> = {
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
};

export function metricWords(metric: string): MetricWords {
  return known[metric] ?? { title: metric, better: 'higher' };
}
