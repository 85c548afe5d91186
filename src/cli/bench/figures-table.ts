import type { ReportedSet } from '../../bench/index.ts';
import { formatInterval, formatMilliseconds, formatNumber, formatShare } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';

/** The figures that every job has, for a job without a table of its own. */
export function renderFiguresTable({ result, figures: { systems } }: ReportedSet): string[] {
  const { data, items, classes } = result;
  const labels = classes.map((label) => `${items.filter(({ gold }) => gold === label).length} ${sanitize(label)}`);
  return [
    `${style('bold', sanitize(data.file))} · ${items.length} items, ${labels.join(', ')} · sha256 ` +
      `${data.sha256.slice(0, 12)}…`,
    '',
    ...formatTable([
      ['system', 'accuracy', '', 'macro-F1', '', 'balanced', '', 'undecided', 'failed', 'p50 ms', 'cost'],
      ...systems.map(({ name, scores, unsettled, cost }) => [
        sanitize(name),
        ...[scores.accuracy, scores.macroF1, scores.balancedAccuracy].flatMap(({ value, interval }) => [
          formatShare(value),
          formatInterval(interval),
        ]),
        formatNumber(unsettled.undecided.length),
        formatNumber(unsettled.failed.length),
        formatMilliseconds(cost.latencyMs.p50),
        cost.costUsd === null ? 'unknown' : `$${cost.costUsd.toFixed(4)}`,
      ]),
    ]),
    '',
    ...formatTable([
      ['by class', 'items', 'precision', 'recall', 'F1'],
      ...systems.flatMap(({ name, byClass }) =>
        byClass.map(({ label, items: count, precision, recall, f1 }) => [
          `${sanitize(name)}: ${sanitize(label)}`,
          formatNumber(count),
          formatShare(precision),
          formatShare(recall),
          formatShare(f1),
        ]),
      ),
    ]),
    '',
    style('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    '',
  ];
}
