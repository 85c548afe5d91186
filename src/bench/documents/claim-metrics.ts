import type { ClaimLabel } from '../../documents/index.ts';
import { bootstrapInterval, type Interval } from '../metrics/bootstrap.ts';
import { meanOf } from '../metrics/mean.ts';
import { claimClasses, type ClaimClass } from './labelled-claim.ts';
import type { ClaimOutcome } from './run-claims.ts';

/** Null where the data gives nothing to measure. */
export interface ClaimMetrics {
  accuracy: number | null;
  /** The mean over the classes that the data has. */
  macroF1: number | null;
  /** The mean recall over them. */
  balancedAccuracy: number | null;
  byClass: readonly { label: ClaimClass; items: number; precision: number | null; recall: number | null; f1: number | null }[];
  /** Of what is cited, how much is in the gold evidence; and of that, how much is cited: means over the claims that have some. */
  citationPrecision: number | null;
  citationRecall: number | null;
  undecided: number;
  failed: number;
}

export type ClaimIntervals = Record<'accuracy' | 'macroF1' | 'balancedAccuracy' | 'citationPrecision' | 'citationRecall', Interval | null>;

type Said = ClaimClass | 'undecided' | 'failed';

interface Pair {
  /** Null for a broken line: an error that belongs to no class. */
  right: ClaimClass | null;
  said: Said;
  citation: { precision: number | null; recall: number } | null;
}

/** Which class a verdict means: what is neither borne out nor contradicted is neutral where the data has it, else refuted. */
export function classOf(label: ClaimLabel, hasNeutral: boolean): ClaimClass | 'undecided' {
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

export function claimMetrics(outcomes: readonly ClaimOutcome[]): { metrics: ClaimMetrics; intervals: ClaimIntervals } {
  const hasNeutral = outcomes.some(({ item }) => item?.label === 'neutral');
  const pairs = outcomes.map((outcome) => pairOf(outcome, hasNeutral));
  const interval = (statistic: (sample: readonly Pair[]) => number | null) => bootstrapInterval(pairs, statistic);
  return {
    metrics: {
      accuracy: accuracy(pairs),
      macroF1: macroF1(pairs),
      balancedAccuracy: balancedAccuracy(pairs),
      byClass: classesIn(pairs).map((label) => ({ label, items: pairs.filter(({ right }) => right === label).length, ...ofClass(pairs, label) })),
      citationPrecision: citation(pairs, 'precision'),
      citationRecall: citation(pairs, 'recall'),
      undecided: pairs.filter(({ said }) => said === 'undecided').length,
      failed: pairs.filter(({ said }) => said === 'failed').length,
    },
    intervals: {
      accuracy: interval(accuracy),
      macroF1: interval(macroF1),
      balancedAccuracy: interval(balancedAccuracy),
      citationPrecision: interval((sample) => citation(sample, 'precision')),
      citationRecall: interval((sample) => citation(sample, 'recall')),
    },
  };
}

function pairOf({ item, judged }: ClaimOutcome, hasNeutral: boolean): Pair {
  return { right: item?.label ?? null, said: judged ? classOf(judged.label, hasNeutral) : 'failed', citation: citationOf(item?.evidence ?? null, judged?.cited ?? null) };
}

function citationOf(gold: readonly number[] | null, cited: readonly number[] | null): Pair['citation'] {
  if (!gold || gold.length === 0 || !cited) return null;
  const wanted = new Set(gold);
  const hits = cited.filter((part) => wanted.has(part)).length;
  return { precision: cited.length === 0 ? null : hits / cited.length, recall: hits / wanted.size };
}

function citation(pairs: readonly Pair[], figure: 'precision' | 'recall'): number | null {
  return meanOf(pairs.flatMap((pair) => (pair.citation && pair.citation[figure] !== null ? [pair.citation[figure]] : [])));
}

function accuracy(pairs: readonly Pair[]): number | null {
  return pairs.length === 0 ? null : pairs.filter(({ right, said }) => right === said).length / pairs.length;
}

function classesIn(pairs: readonly Pair[]): ClaimClass[] {
  return claimClasses.filter((label) => pairs.some(({ right }) => right === label));
}

function ofClass(pairs: readonly Pair[], label: ClaimClass): { precision: number | null; recall: number | null; f1: number | null } {
  const hits = pairs.filter(({ right, said }) => right === label && said === label).length;
  const named = pairs.filter(({ said }) => said === label).length;
  const there = pairs.filter(({ right }) => right === label).length;
  return { precision: named === 0 ? null : hits / named, recall: there === 0 ? null : hits / there, f1: named + there === 0 ? null : (2 * hits) / (named + there) };
}

function macroF1(pairs: readonly Pair[]): number | null {
  return meanOf(classesIn(pairs).map((label) => ofClass(pairs, label).f1 ?? 0));
}

function balancedAccuracy(pairs: readonly Pair[]): number | null {
  return meanOf(classesIn(pairs).map((label) => ofClass(pairs, label).recall ?? 0));
}
