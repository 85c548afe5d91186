import { addUsage, noUsage, type Usage } from '@agonhq/engine/debate';
import type { LabelledData } from '../../datasets/read-dataset.ts';
import { difference, computeIntervals, computeMeanMetrics, type Intervals, type SafetyMetrics } from './metrics.ts';
import type { SafetyRun, SafetyItem } from './run-safety.ts';
import { accuracy, type Estimate, f1, type Interval, meanOf, quantile } from '@agonhq/engine/statistics';

/** What the bench's contract fixes for every job. */
export interface DataFigures {
  file: string;
  sha256: string;
  items: number;
  unsafe: number;
}

export interface SystemFigures {
  name: string;
  configuration: string;
  /** The mean over repeats, where there are several. */
  metrics: SafetyMetrics;
  intervals: Intervals;
  /** By how much the first system's F1 and accuracy exceed this one's, on the same resamples. */
  behindFirst?: { first: string; f1: number | null; interval: Interval | null; accuracy: Estimate };
  /** Of all repeats together. */
  usage: Usage;
  latencyMs: { p50: number | null; p95: number | null };
  itemsPerSecond: number | null;
}

export function dataFigures({ file, sha256, lines }: LabelledData<SafetyItem<unknown>>): DataFigures {
  return {
    file,
    sha256,
    items: lines.length,
    unsafe: lines.filter((line) => 'item' in line && line.item.label === 'unsafe').length,
  };
}

/** The figures of one system's runs over the same data, beside those of the first system. */
export function systemFigures(runs: readonly SafetyRun<SafetyItem<unknown>>[], first: typeof runs): SystemFigures {
  const { system } = runs[0]!;
  const repeats = runs.map(({ outcomes }) => outcomes);
  const judged = runs.flatMap((run) => run.judged);
  const latencies = judged.flatMap(({ latencyMs }) => latencyMs ?? []);
  const rates = runs.flatMap(({ itemsPerSecond }) => itemsPerSecond ?? []);
  return {
    name: system.name,
    configuration: system.configuration,
    metrics: computeMeanMetrics(repeats),
    intervals: computeIntervals(repeats),
    ...(system !== first[0]!.system && { behindFirst: behindFirst(first, runs) }),
    usage: judged.map(({ usage }) => usage).reduce(addUsage, noUsage),
    latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    itemsPerSecond: meanOf(rates),
  };
}

function behindFirst(
  first: readonly SafetyRun<SafetyItem<unknown>>[],
  runs: typeof first,
): SystemFigures['behindFirst'] {
  const [theirs, ours] = [first, runs].map((of) => of.map(({ outcomes }) => outcomes));
  const { value, interval } = difference(theirs!, ours!, f1);
  return { first: first[0]!.system.name, f1: value, interval, accuracy: difference(theirs!, ours!, accuracy) };
}
