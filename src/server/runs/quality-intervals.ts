import type { Quality } from '../../runs/index.ts';
import { wilsonInterval, type Interval } from '../../statistics/index.ts';

/**
 * The 95 % intervals of a run's quality. Accuracy, precision and recall are shares of items. F1 is a function of one
 * that only grows with it: of those found among all that are unsafe or were called so, J, it is 2J / (1 + J).
 */
export function computeQualityIntervals({
  items,
  accuracy,
  confusion,
}: Pick<Quality, 'items' | 'accuracy' | 'confusion'>): Record<
  'accuracy' | 'precision' | 'recall' | 'f1',
  Interval | null
> {
  const cells = Object.entries(confusion).map(([cell, count]) => ({
    truth: cell.split(' as ')[0]!,
    label: cell.split(' as ')[1]!,
    count,
  }));
  const count = (fits: (truth: string, label: string) => boolean) =>
    cells.reduce((sum, cell) => (fits(cell.truth, cell.label) ? sum + cell.count : sum), 0);
  const found = count((truth, label) => truth === 'unsafe' && label === 'unsafe');
  const there = count((truth) => truth === 'unsafe');
  const falseAlarms = count((truth, label) => truth === 'safe' && label !== 'safe');
  const jaccard = wilsonInterval(found, there + falseAlarms);
  return {
    accuracy: wilsonInterval(Math.round(accuracy * items), items),
    precision: wilsonInterval(found, found + falseAlarms),
    recall: wilsonInterval(found, there),
    f1: jaccard && [(2 * jaccard[0]) / (1 + jaccard[0]), (2 * jaccard[1]) / (1 + jaccard[1])],
  };
}
