import { addUsage, noUsage, type Usage } from '@agonhq/engine/debate';
import type { LabelledData } from '../../datasets/read-dataset.ts';
import { makeRecord } from '../../figures/scores.ts';
import { claimClasses, type ClaimClass, type LabelledClaim } from './labelled-claim.ts';
import type { ClaimRun, ClaimOutcome } from './run-claims.ts';
import {
  quantile,
  balancedAccuracy,
  bootstrapInterval,
  bootstrapStatistics,
  classFigures,
  countMatrix,
  drawResamples,
  estimateFrom,
  type Interval,
  macroF1,
  rarestClass,
  matrixAccuracy,
  meanOf,
  placeInMatrix,
} from '@agonhq/engine/statistics';
import type { ClaimLabel } from '@agonhq/documents';

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
export function buildDocumentsReport(
  { file, sha256, lines }: LabelledData<LabelledClaim>,
  runs: readonly ClaimRun[],
): DocumentsReport {
  const items = lines.flatMap((line) => ('item' in line ? [line.item] : []));
  const labels = makeRecord(claimClasses, (label) => items.filter((item) => item.label === label).length);
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

/** Null where the data gives nothing to measure. */
interface ClaimMetrics {
  accuracy: number | null;
  /** The mean over the classes that the data has. */
  macroF1: number | null;
  /** The mean recall over them. */
  balancedAccuracy: number | null;
  byClass: readonly {
    label: ClaimClass;
    items: number;
    precision: number | null;
    recall: number | null;
    f1: number | null;
  }[];
  /**
   * Of what is cited, how much is in the gold evidence; and of that, how much is cited: means over the claims that
   * have some.
   */
  citationPrecision: number | null;
  citationRecall: number | null;
  undecided: number;
  failed: number;
}

type ClaimIntervals = Record<
  'accuracy' | 'macroF1' | 'balancedAccuracy' | 'citationPrecision' | 'citationRecall',
  Interval | null
>;

type Said = ClaimClass | 'undecided' | 'failed';

interface Pair {
  /** Null for a broken line: an error that belongs to no class. */
  gold: ClaimClass | null;
  said: Said;
  citation: { precision: number | null; recall: number } | null;
}

/**
 * Which class a verdict means: what is neither borne out nor contradicted is neutral where the data has it, else
 * refuted.
 */
export function toClaimClass(label: ClaimLabel, hasNeutral: boolean): ClaimClass | 'undecided' {
  switch (label) {
    case 'verified-strong':
    case 'supported':
      return 'entailed';
    case 'contradicted':
      return 'refuted';
    case 'mixed':
    case 'unsupported':
      return hasNeutral ? 'neutral' : 'refuted';
    case 'undecided':
      return 'undecided';
  }
}

export function measureClaimRun(outcomes: readonly ClaimOutcome[]): {
  metrics: ClaimMetrics;
  intervals: ClaimIntervals;
} {
  const hasNeutral = outcomes.some(({ item }) => item?.label === 'neutral');
  const pairs = outcomes.map((outcome) => pairOf(outcome, hasNeutral));
  // An item that nobody decided is wrong, and names no class.
  const cells = placeInMatrix(pairs, { classes: claimClasses, leaveOut: false, alarms: false });
  const figures = bootstrapStatistics(drawResamples(), pairs.length, (weights) => {
    const table = countMatrix(cells, weights);
    return { accuracy: matrixAccuracy(table), macroF1: macroF1(table), balancedAccuracy: balancedAccuracy(table) };
  });
  const all = countMatrix(cells);
  return {
    metrics: {
      ...figures.value,
      byClass: claimClasses
        .map((label, place) => ({ label, ...classFigures(all, place) }))
        .filter(({ items }) => items > 0),
      citationPrecision: citation(pairs, 'precision'),
      citationRecall: citation(pairs, 'recall'),
      undecided: pairs.filter(({ said }) => said === 'undecided').length,
      failed: pairs.filter(({ said }) => said === 'failed').length,
    },
    intervals: {
      accuracy: estimateFrom(figures, 'accuracy').interval,
      ...makeRecord(['macroF1', 'balancedAccuracy'], (name) => estimateFrom(figures, name, rarestClass(all)).interval),
      citationPrecision: citationInterval(pairs, 'precision'),
      citationRecall: citationInterval(pairs, 'recall'),
    },
  };
}

function pairOf({ item, judged }: ClaimOutcome, hasNeutral: boolean): Pair {
  return {
    gold: item?.label ?? null,
    said: judged ? toClaimClass(judged.label, hasNeutral) : 'failed',
    citation: citationOf(item?.evidence ?? null, judged?.cited ?? null),
  };
}

function citationOf(gold: readonly number[] | null, cited: readonly number[] | null): Pair['citation'] {
  if (!gold || gold.length === 0 || !cited) return null;
  const wanted = new Set(gold);
  const hits = cited.filter((part) => wanted.has(part)).length;
  return { precision: cited.length === 0 ? null : hits / cited.length, recall: hits / wanted.size };
}

function citationInterval(pairs: readonly Pair[], figure: 'precision' | 'recall'): Interval | null {
  return bootstrapInterval(
    pairs.filter((pair) => citation([pair], figure) !== null),
    (sample) => citation(sample, figure),
  );
}

function citation(pairs: readonly Pair[], figure: 'precision' | 'recall'): number | null {
  return meanOf(
    pairs.flatMap((pair) => (pair.citation && pair.citation[figure] !== null ? [pair.citation[figure]] : [])),
  );
}
