import type { ModerationReport, ModerationSystemReport } from '@agonhq/bench';
import { toOneLine } from '@agonhq/engine/text';
import { printCost, printInterval, formatMilliseconds, printNumber, printShare } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatTable, type PrintedRow } from '../terminal/table.ts';
import type { ReportTable } from './show-set.ts';

export const moderationTable: ReportTable<ModerationReport> = { job: 'moderation', render: renderModerationTable };

function renderModerationTable({ data, systems }: ModerationReport): string[] {
  const { file, items, unsafe, sha256, images, by } = data;
  const pictures = [
    images.described > 0 && `${images.described} images by description`,
    images.files > 0 && `${images.files} images by file`,
  ];
  return [
    [style('bold', sanitize(file)), `${items} items, ${unsafe} unsafe`, ...pictures, `sha256 ${sha256.slice(0, 12)}…`]
      .filter(Boolean)
      .join(' · '),
    '',
    ...formatTable([
      ['system', 'F1', '', 'accuracy', '', 'precision', 'recall', 'undecided', 'failed'],
      ...systems.flatMap((system) => listRows(system, formatMetrics)),
    ]),
    '',
    ...formatTable([
      ['system', 'AUC', 'ECE', 'recall at 1 % FPR', 'p50 ms', 'p95 ms', 'items/s', 'cost'],
      ...systems.flatMap((system) => listRows(system, formatRanking, formatSpeed(system))),
    ]),
    '',
    style('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    ...systems.flatMap((system) => renderCategories(system, by)),
    '',
  ];
}

type Scores = Pick<ModerationSystemReport, 'metrics' | 'intervals'>;

/** The row of a system, and one without refusals if the data marks them. */
function listRows(
  { name, metrics, intervals, withoutRefusals }: ModerationSystemReport,
  cells: (scores: Scores) => PrintedRow,
  more: PrintedRow = [],
): PrintedRow[] {
  return [
    [sanitize(name), ...cells({ metrics, intervals }), ...more],
    ...(withoutRefusals ? [[`  ${withoutRefusals.items} without refusals`, ...cells(withoutRefusals)]] : []),
  ];
}

function formatMetrics({
  metrics: { f1, accuracy, precision, recall, undecided, failed },
  intervals,
}: Scores): PrintedRow {
  return [
    printShare(f1),
    printInterval(intervals.f1),
    printShare(accuracy),
    printInterval(intervals.accuracy),
    printShare(precision),
    printShare(recall),
    printNumber(undecided),
    printNumber(failed),
  ];
}

function formatRanking({ metrics: { auc, ece, recallAt1PercentFpr } }: Scores): PrintedRow {
  return [printShare(auc), printShare(ece), printShare(recallAt1PercentFpr)];
}

function formatSpeed({ latencyMs, itemsPerSecond, usage }: ModerationSystemReport): PrintedRow {
  return [
    formatMilliseconds(latencyMs.p50),
    formatMilliseconds(latencyMs.p95),
    itemsPerSecond?.toFixed(1) ?? '–',
    printCost(usage, `${usage.calls} calls`),
  ];
}

function renderCategories({ name, categories }: ModerationSystemReport, by: string): string[] {
  if (categories.length === 0) return [];
  const rows = categories.map(({ category, items, unsafe, accuracy, f1, undecided, failed }) => [
    toOneLine(sanitize(category)).slice(0, 60),
    String(items),
    String(unsafe),
    printShare(accuracy),
    printShare(f1),
    String(undecided),
    String(failed),
  ]);
  return [
    '',
    `${name}, by ${sanitize(by)}`,
    ...formatTable([[by, 'items', 'unsafe', 'accuracy', 'F1', 'undecided', 'failed'], ...rows]),
  ];
}
