import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import type { Comparison, BenchOverview, SetOverview, SetFigures } from '@agonhq/bench';
import type { BenchRow } from '@agonhq/ledger';

/** What a bench's plan says of it, as the bench reads it. */
export interface PlannedBench {
  title: string;
  sets: readonly {
    job: z.infer<typeof schemas.benchRow>['sets'][number]['job'];
    title: string;
    file: string;
    sha256: string;
    items: number;
  }[];
}

type Row = z.infer<typeof schemas.benchRow>;
type Report = z.infer<typeof schemas.benchReport>;
type ReportedSet = Report['sets'][number];
type ReportedSystem = ReportedSet['systems'][number];

/** A bench as it stands in a list. */
export function showBenchRow(
  { id, name, state, startedAt, endedAt, judged }: BenchRow,
  { title, sets }: PlannedBench,
  live: boolean,
): Row {
  return {
    id,
    name: title || name,
    state,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    judged,
    live,
    sets: sets.map(({ job, title: called, items }) => ({ job, title: called, items })),
  };
}

/** A bench with all its figures; sets that it has not come to have none. */
export function showBenchReport(
  row: BenchRow,
  planned: PlannedBench,
  bench: BenchOverview,
  live: boolean,
): Omit<Report, 'problem' | 'resumable' | 'progress'> {
  const waiting = planned.sets.slice(bench.sets.length).map(({ job, title, file, sha256, items }): ReportedSet => ({
    job,
    title,
    file,
    sha256,
    items,
    classes: [],
    positive: null,
    notes: [],
    leads: null,
    systems: [],
  }));
  return { ...showBenchRow(row, planned, live), sets: [...bench.sets.map(showSet), ...waiting] };
}

function showSet({ result, figures }: SetOverview): ReportedSet {
  const { job, data, classes, positive, notes, items } = result;
  return {
    // Where a file lies on the machine that measured is nobody's business.
    job,
    title: data.title,
    file: data.file.replace(/^.*[\\/]/, ''),
    sha256: data.sha256,
    items: items.length,
    classes: [...classes],
    positive,
    notes: [...notes],
    leads: figures.comparisons[0]?.metric ?? (positive === null ? 'accuracy' : 'f1'),
    systems: result.systems.map(({ name, kind, models, of, trained }, place) => ({
      name,
      kind,
      models: [...models],
      of,
      trained,
      ...showSystem(figures.systems[place]!),
      against: compareWithFirst(figures.comparisons.find(({ second }) => second === name)),
    })),
  };
}

function showSystem({
  scores,
  kappa,
  confusion,
  cost,
  unsettled,
}: SetFigures['systems'][number]): Omit<ReportedSystem, 'name' | 'kind' | 'models' | 'of' | 'trained' | 'against'> {
  const { items: _, ...metrics } = scores;
  return {
    metrics: { ...metrics, kappa },
    confusion: Object.entries(confusion).flatMap(([gold, counts]) =>
      Object.entries(counts).flatMap(([said, items]) => (items > 0 ? [{ gold, said, items }] : [])),
    ),
    undecided: unsettled.undecided.length,
    failed: unsettled.failed.length,
    costUsd: cost.costUsd,
    latencyMs: { p50: cost.latencyMs.p50, p95: cost.latencyMs.p95 },
    itemsPerSecond: cost.itemsPerSecond,
  };
}

/** The bench says by how much the first exceeds the other: here it is the other way round. */
function compareWithFirst(comparison: Comparison | undefined): ReportedSystem['against'] {
  if (!comparison) return null;
  const {
    first,
    metric,
    difference: { value, interval },
    onlyFirst,
    onlySecond,
    corrected,
  } = comparison;
  return {
    of: first,
    metric,
    difference: value === null ? null : 0 - value,
    interval: interval && [0 - interval[1], 0 - interval[0]],
    onlyThis: onlySecond,
    onlyOther: onlyFirst,
    p: corrected,
  };
}
