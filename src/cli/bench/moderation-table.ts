import type { ModerationReport, ModerationSystemReport } from '../../bench/index.ts';
import { textTable, type Row } from '../terminal/table.ts';
import { between, milliseconds, number, share } from '../terminal/format.ts';
import { plain, styled } from '../terminal/style.ts';

/** The figures of one set of data, for people. */
export function benchTable({ data, systems }: ModerationReport): string[] {
  const { file, items, unsafe, sha256, images, by } = data;
  const pictures = [
    images.described > 0 && `${images.described} images by their descriptions`,
    images.files > 0 && `${images.files} images by their files`,
  ];
  return [
    `${styled('bold', plain(file))} · ${[`${items} items, ${unsafe} unsafe`, ...pictures, `sha256 ${sha256.slice(0, 12)}…`].filter(Boolean).join(' · ')}`,
    '',
    ...textTable([
      ['system', 'F1', '', 'accuracy', '', 'precision', 'recall', 'undecided', 'failed'],
      ...systems.flatMap((system) => rowsOf(system, metricCells)),
    ]),
    '',
    ...textTable([
      ['system', 'AUC', 'ECE', 'recall at 1 % FPR', 'p50 ms', 'p95 ms', 'items/s', 'cost'],
      ...systems.flatMap((system) => rowsOf(system, rankingCells, costCells(system))),
    ]),
    '',
    styled('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    ...systems.flatMap((system) => categoryTable(system, by)),
    '',
  ];
}

type Scores = Pick<ModerationSystemReport, 'metrics' | 'intervals'>;

/** A system's row, and one without refusals where the data marks them. */
function rowsOf(
  { name, metrics, intervals, withoutRefusals }: ModerationSystemReport,
  cells: (scores: Scores) => Row,
  more: Row = [],
): Row[] {
  return [
    [plain(name), ...cells({ metrics, intervals }), ...more],
    ...(withoutRefusals ? [[`  ${withoutRefusals.items} without refusals`, ...cells(withoutRefusals)]] : []),
  ];
}

function metricCells({ metrics: { f1, accuracy, precision, recall, undecided, failed }, intervals }: Scores): Row {
  return [
    share(f1),
    between(intervals.f1),
    share(accuracy),
    between(intervals.accuracy),
    share(precision),
    share(recall),
    number(undecided),
    number(failed),
  ];
}

function rankingCells({ metrics: { auc, ece, recallAt1PercentFpr } }: Scores): Row {
  return [share(auc), share(ece), share(recallAt1PercentFpr)];
}

function costCells({ latencyMs, itemsPerSecond, usage }: ModerationSystemReport): Row {
  const cost = usage.costUsd === null ? `${usage.calls} calls` : `$${usage.costUsd.toFixed(4)}`;
  return [
    milliseconds(latencyMs.p50),
    milliseconds(latencyMs.p95),
    itemsPerSecond === null ? '–' : itemsPerSecond.toFixed(1),
    cost,
  ];
}

function categoryTable({ name, categories }: ModerationSystemReport, by: string): string[] {
  if (categories.length === 0) return [];
  const rows = categories.map(({ category, items, unsafe, accuracy, f1, undecided, failed }) => [
    plain(category).replace(/\s+/g, ' ').slice(0, 60),
    String(items),
    String(unsafe),
    share(accuracy),
    share(f1),
    String(undecided),
    String(failed),
  ]);
  return [
    '',
    `${name}, by ${plain(by)}`,
    ...textTable([[by, 'items', 'unsafe', 'accuracy', 'F1', 'undecided', 'failed'], ...rows]),
  ];
}
