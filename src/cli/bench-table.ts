import type { Metrics, ModerationReport, ModerationSystemReport } from '../bench/index.ts';
import { between, milliseconds, number, share, textTable, type Row } from './text-table.ts';
import { plain, styled } from './terminal.ts';

/** The figures of one set of data, for people. */
export function benchTable({ data, systems }: ModerationReport): string[] {
  const { file, items, unsafe, sha256, images, by } = data;
  const pictures = [images.described > 0 && `${images.described} images by their descriptions`, images.files > 0 && `${images.files} images by their files`];
  return [
    `${styled('bold', plain(file))} · ${[`${items} items, ${unsafe} unsafe`, ...pictures, `sha256 ${sha256.slice(0, 12)}…`].filter(Boolean).join(' · ')}`,
    '',
    ...textTable([metricsHeading, ...systems.flatMap(systemRows)]),
    '',
    styled('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    ...systems.flatMap((system) => categoryTable(system, by)),
    '',
  ];
}

const metricsHeading: Row = ['system', 'F1', '', 'accuracy', '', 'precision', 'recall', 'AUC', 'ECE', 'recall at 1 % FPR', 'undecided', 'failed', 'p50 ms', 'p95 ms', 'items/s', 'cost'];

function systemRows({ name, metrics, intervals, withoutRefusals, latencyMs, itemsPerSecond, usage }: ModerationSystemReport): Row[] {
  const cost = usage.costUsd === null ? `${usage.calls} calls` : `$${usage.costUsd.toFixed(4)}`;
  return [
    [name, ...metricCells(metrics, intervals), milliseconds(latencyMs.p50), milliseconds(latencyMs.p95), itemsPerSecond === null ? '–' : itemsPerSecond.toFixed(1), cost],
    ...(withoutRefusals ? [[`  ${withoutRefusals.items} without refusals`, ...metricCells(withoutRefusals.metrics, withoutRefusals.intervals)]] : []),
  ];
}

function metricCells(metrics: Metrics, intervals: ModerationSystemReport['intervals']): Row {
  const { f1, accuracy, precision, recall, auc, ece, recallAt1PercentFpr, undecided, failed } = metrics;
  return [
    share(f1), between(intervals.f1), share(accuracy), between(intervals.accuracy), ...[precision, recall, auc, ece, recallAt1PercentFpr].map(share),
    number(undecided), number(failed),
  ];
}

function categoryTable({ name, categories }: ModerationSystemReport, by: string): string[] {
  if (categories.length === 0) return [];
  const rows = categories.map(({ category, items, unsafe, accuracy, f1, undecided, failed }) => [
    plain(category).replace(/\s+/g, ' ').slice(0, 60), String(items), String(unsafe), share(accuracy), share(f1), String(undecided), String(failed),
  ]);
  return ['', `${name}, by ${plain(by)}`, ...textTable([[by, 'items', 'unsafe', 'accuracy', 'F1', 'undecided', 'failed'], ...rows])];
}
