import { addUsage, noUsage, type Usage } from '../../debate/index.ts';
import type { ClaimData } from './claim-data.ts';
import { measureClaimRun, type ClaimIntervals, type ClaimMetrics } from './claim-metrics.ts';
import { claimClasses, type ClaimClass } from './labelled-claim.ts';
import type { ClaimRun } from './run-claims.ts';
import { quantile } from '../../statistics/index.ts';

/** What `agon bench documents --json` prints for one set of data. */
export interface DocumentsReport {
  version: 1;
  job: 'documents';
  data: { file: string; sha256: string; items: number; labels: Record<ClaimClass, number>; withEvidence: number };
  systems: DocumentsSystemReport[];
}

export interface DocumentsSystemReport {
  name: string;
  configuration: string;
  metrics: ClaimMetrics;
  intervals: ClaimIntervals;
  /** How often each verdict was given. */
  verdicts: Record<string, number>;
  unsettled: { undecided: readonly { line: number; id?: string }[]; failed: readonly { line: number; id?: string }[] };
  usage: Usage;
  latencyMs: { p50: number | null; p95: number | null };
  itemsPerSecond: number | null;
}

/** The figures of systems over the same claims. */
export function buildDocumentsReport({ file, sha256, lines }: ClaimData, runs: readonly ClaimRun[]): DocumentsReport {
  const items = lines.flatMap((line) => ('item' in line ? [line.item] : []));
  const labels = Object.fromEntries(
    claimClasses.map((label) => [label, items.filter((item) => item.label === label).length]),
  ) as Record<ClaimClass, number>;
  return {
    version: 1,
    job: 'documents',
    data: {
      file,
      sha256,
      items: lines.length,
      labels,
      withEvidence: items.filter(({ evidence }) => evidence !== null && evidence.length > 0).length,
    },
    systems: runs.map(systemReport),
  };
}

function systemReport({ system, outcomes, itemsPerSecond }: ClaimRun): DocumentsSystemReport {
  const judged = outcomes.flatMap((outcome) => outcome.judged ?? []);
  const latencies = judged.flatMap(({ latencyMs }) => latencyMs ?? []);
  const named = (some: typeof outcomes) =>
    some.map(({ line, item }) => ({ line, ...(item?.id === undefined ? {} : { id: item.id }) }));
  return {
    name: system.name,
    configuration: system.configuration,
    ...measureClaimRun(outcomes),
    verdicts: Object.fromEntries(
      [...Map.groupBy(judged, ({ label }) => label)].map(([label, { length }]) => [label, length]),
    ),
    unsettled: {
      undecided: named(outcomes.filter((outcome) => outcome.judged?.label === 'undecided')),
      failed: named(outcomes.filter((outcome) => !outcome.judged)),
    },
    usage: judged.map(({ usage }) => usage).reduce(addUsage, noUsage),
    latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    itemsPerSecond,
  };
}
