import { addUsage, noUsage, type Usage } from '../debate/index.ts';
import type { Interval } from './bootstrap.ts';
import type { LabelledData } from './data-file.ts';
import { AgonError } from '../errors.ts';
import { f1Difference, intervalsOf, metricsOf, type Intervals, type Metrics } from './measure.ts';
import type { Outcome } from './outcome.ts';
import { quantile } from './quantile.ts';
import type { SystemRun } from './run-system.ts';

/** What `agon bench --json` prints for one set of data. */
export interface BenchReport {
  version: 1;
  job: 'moderation';
  data: {
    file: string;
    sha256: string;
    items: number;
    unsafe: number;
    /** What stood for the images: descriptions that came with the data, or the files themselves. */
    images: { described: number; files: number };
  };
  systems: SystemReport[];
}

export interface SystemReport {
  name: string;
  configuration: string;
  metrics: Metrics;
  intervals: Intervals;
  /** The same without the items that look like refusals, where the data marks them. */
  withoutRefusals?: { items: number; metrics: Metrics; intervals: Intervals };
  /** By how much the F1 of the first system exceeds this one's, on the same resamples. */
  behindFirst?: { first: string; f1: number | null; interval: Interval | null };
  categories: CategoryReport[];
  usage: Usage;
  latencyMs: { p50: number | null; p95: number | null };
  itemsPerSecond: number | null;
}

export interface CategoryReport {
  category: string;
  items: number;
  unsafe: number;
  accuracy: number | null;
  f1: number | null;
  undecided: number;
  failed: number;
}

/** The figures of systems over the same data. */
export function benchReport(data: LabelledData, runs: readonly SystemRun[]): BenchReport {
  return {
    version: 1,
    job: 'moderation',
    data: { file: data.file, sha256: data.sha256, items: data.lines.length, unsafe: unsafeIn(data), images: imagesIn(data) },
    systems: runs.map((run) => systemReport(run, runs[0]!)),
  };
}

function systemReport({ system, outcomes, judged, itemsPerSecond }: SystemRun, first: SystemRun): SystemReport {
  const others = outcomes.filter(({ looksLikeRefusal }) => !looksLikeRefusal);
  const latencies = judged.map(({ latencyMs }) => latencyMs);
  const { value, interval } = f1Difference(first.outcomes, outcomes);
  return {
    name: system.name,
    configuration: system.configuration,
    metrics: metricsOf(outcomes),
    intervals: intervalsOf(outcomes),
    ...(others.length < outcomes.length && { withoutRefusals: { items: others.length, metrics: metricsOf(others), intervals: intervalsOf(others) } }),
    ...(system !== first.system && { behindFirst: { first: first.system.name, f1: value, interval } }),
    categories: categoriesOf(outcomes),
    usage: judged.map(({ usage }) => usage).reduce(addUsage, noUsage),
    latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    itemsPerSecond,
  };
}

/** None when no item names a category. */
function categoriesOf(outcomes: readonly Outcome[]): CategoryReport[] {
  const groups = Map.groupBy(outcomes.filter(({ category }) => category !== null), ({ category }) => category!);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, group]) => {
      const { accuracy, f1, undecided, failed } = metricsOf(group);
      return { category, items: group.length, unsafe: group.filter(({ unsafe }) => unsafe).length, accuracy, f1, undecided, failed };
    });
}

function unsafeIn({ lines }: LabelledData): number {
  return lines.filter((line) => 'item' in line && line.item.unsafe).length;
}

function imagesIn({ lines }: LabelledData): BenchReport['data']['images'] {
  const images = lines.flatMap((line) => ('item' in line && !AgonError.is(line.item.content) ? (line.item.content.images ?? []) : []));
  const described = images.filter((image) => 'description' in image).length;
  return { described, files: images.length - described };
}
