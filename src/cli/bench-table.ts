import type { BenchReport, Metrics, SystemReport } from '../bench/index.ts';
import { plain, styled } from './terminal.ts';

type Row = readonly string[];

/** The figures of one set of data, for people. */
export function benchTable({ data, systems }: BenchReport, by: string): string[] {
  const { file, items, unsafe, sha256, images } = data;
  const pictures = [images.described > 0 && `${images.described} images by their descriptions`, images.files > 0 && `${images.files} images by their files`];
  return [
    `${styled('bold', plain(file))} · ${[`${items} items, ${unsafe} unsafe`, ...pictures, `sha256 ${sha256.slice(0, 12)}…`].filter(Boolean).join(' · ')}`,
    '',
    ...table([metricsHeading, ...systems.flatMap(systemRows)]),
    '',
    styled('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    ...systems.flatMap(behindLine),
    ...systems.flatMap((system) => categoryTable(system, by)),
    '',
  ];
}

const metricsHeading: Row = ['system', 'F1', '', 'accuracy', '', 'precision', 'recall', 'AUC', 'ECE', 'recall at 1 % FPR', 'undecided', 'failed', 'p50 ms', 'p95 ms', 'items/s', 'cost'];

function systemRows({ name, metrics, intervals, withoutRefusals, latencyMs, itemsPerSecond, usage }: SystemReport): Row[] {
  const cost = usage.costUsd === null ? `${usage.calls} calls` : `$${usage.costUsd.toFixed(4)}`;
  return [
    [name, ...metricCells(metrics, intervals), milliseconds(latencyMs.p50), milliseconds(latencyMs.p95), itemsPerSecond === null ? '–' : itemsPerSecond.toFixed(1), cost],
    ...(withoutRefusals ? [[`  ${withoutRefusals.items} without refusals`, ...metricCells(withoutRefusals.metrics, withoutRefusals.intervals)]] : []),
  ];
}

function metricCells(metrics: Metrics, intervals: SystemReport['intervals']): Row {
  const { f1, accuracy, precision, recall, auc, ece, recallAt1PercentFpr, undecided, failed } = metrics;
  return [
    share(f1), between(intervals.f1), share(accuracy), between(intervals.accuracy), ...[precision, recall, auc, ece, recallAt1PercentFpr].map(share),
    String(undecided), String(failed),
  ];
}

function behindLine({ name, behindFirst }: SystemReport): string[] {
  if (!behindFirst || behindFirst.f1 === null) return [];
  return [`${behindFirst.first} is ${signed(behindFirst.f1)} F1 against ${name}${behindFirst.interval ? ` (${behindFirst.interval.map(signed).join(' to ')})` : ''}`];
}

function categoryTable({ name, categories }: SystemReport, by: string): string[] {
  if (categories.length === 0) return [];
  const rows = categories.map(({ category, items, unsafe, accuracy, f1, undecided, failed }) => [
    plain(category).replace(/\s+/g, ' ').slice(0, 60), String(items), String(unsafe), share(accuracy), share(f1), String(undecided), String(failed),
  ]);
  return ['', `${name}, by ${plain(by)}`, ...table([[by, 'items', 'unsafe', 'accuracy', 'F1', 'undecided', 'failed'], ...rows])];
}

/** Names to the left, figures to the right. */
function table(rows: readonly Row[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ').trimEnd());
  return lines.map((line, index) => (index === 0 ? styled('dim', line) : line));
}

function share(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

function between(interval: readonly [number, number] | null): string {
  return interval === null ? '' : `${share(interval[0])}–${share(interval[1])}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function milliseconds(value: number | null): string {
  return value === null ? '–' : value < 10 ? value.toFixed(1) : Math.round(value).toString();
}
