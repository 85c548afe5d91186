import type { Crossfit } from '../plan/crossfit.ts';
import type { BenchBlock, MeasuredSet } from './block.ts';
import { writePlural } from './write-values.ts';
import { consistencyBlock, ratersBlock } from './blocks/agreement.ts';
import { byClassBlock, confusionBlock, byCategoryBlock, byModalityBlock, categoryHeat } from './blocks/groups.ts';
import { comparisonsBlock, publishedBlock } from './blocks/comparisons.ts';
import { costBlock, sharesBlock, roundsBlock, timeBlock } from './blocks/cost.ts';
import { crossfitBlocks, setCrossfitBlock } from './blocks/crossfit.ts';
import { curvesBlock, reliabilityBlock } from './blocks/curves.ts';
import { bothRules, labelScores, sureness, withoutTrivial } from './blocks/scores.ts';
import { summaryBlocks } from './blocks/summary.ts';
import { debateGainBlocks } from './blocks/debate-gains.ts';
import { trajectoriesBlock } from './blocks/trajectories.ts';
import { fallbacksBlock, unsettledBlock } from './blocks/unsettled.ts';

const there = (blocks: readonly (BenchBlock | null)[]): BenchBlock[] => blocks.filter((block) => block !== null);

/** The tables over all sets. */
export function overviewBlocks(sets: readonly MeasuredSet[], { crossfits = [] }: BenchReportOptions): BenchBlock[] {
  const jobs = new Map(sets.map(({ result, job }) => [result.job, { id: result.job, title: job.title }]));
  return [...crossfitBlocks(crossfits, [...jobs.values()]), ...summaryBlocks(sets)];
}

/** The tables before the receipt: how good the systems are. */
export function qualityBlocks(
  set: MeasuredSet,
  { crossfits = [] }: Pick<BenchReportOptions, 'crossfits'> = {},
): BenchBlock[] {
  return there([
    labelScores(set),
    fallbacksBlock(set),
    setCrossfitBlock(crossfits, { job: set.result.job, title: set.result.data.title }),
    publishedBlock(set),
    comparisonsBlock(set),
    bothRules(set),
    withoutTrivial(set),
  ]);
}

/** The tables after it: where they err, what they cost, whether they say it again. */
export function detailBlocks(set: MeasuredSet, times: boolean): BenchBlock[] {
  return there([
    sureness(set),
    curvesBlock(set),
    reliabilityBlock(set),
    byClassBlock(set),
    confusionBlock(set),
    categoryHeat(set),
    byCategoryBlock(set),
    byModalityBlock(set),
    trajectoriesBlock(set),
    roundsBlock(set, times),
    costBlock(set, times),
    sharesBlock(set),
    consistencyBlock(set),
    ratersBlock(set),
    unsettledBlock(set),
  ]);
}

/** Of the tables after it those that a summary cannot do without. */
export function briefBlocks(set: MeasuredSet): BenchBlock[] {
  return there([sureness(set), roundsBlock(set, false), ...set.own.filter(({ missing }) => missing === undefined)]);
}

/** The tables that a terminal shows: the figures, what they are compared with, and what they cost. */
export function terminalBlocks(set: MeasuredSet): BenchBlock[] {
  const blocks = there([
    ...qualityBlocks(set),
    ...debateGainBlocks(set),
    sureness(set),
    set.result.positive === null ? byClassBlock(set) : byCategoryBlock(set),
    roundsBlock(set, true),
    ...set.own,
    consistencyBlock(set),
    costBlock(set, true),
    timeBlock([set]),
    unsettledBlock(set),
  ]);
  return blocks.filter(({ table }) => table !== undefined);
}

export interface BenchReportOptions {
  title: string;
  /** Whether times are shown: in a table of their own, since they differ from run to run. */
  times: boolean;
  /** False: in Markdown, the tables before the details alone. */
  details?: boolean;
  about?: readonly { name: string; value: string }[];
  /** What training measured on items that were held out; shown in tables of its own. */
  crossfits?: readonly Crossfit[];
}

/** What draws pages: the console's views do, which Agon loads when somebody asks for one. */
export interface BenchViews {
  drawBench(sets: readonly MeasuredSet[], options: BenchReportOptions): string;
  drawLearning(page: LearningPage): string;
}

/** The experiment with learning on several sets of data. */
export interface LearningPage {
  about: string;
  sets: readonly { file: string; sha256: string; curator: string; block: BenchBlock }[];
}

/** How much of each label there is, and how it was measured. */
export function describeSet({ result }: MeasuredSet): {
  items: string;
  labels: { label: string; items: number }[];
  parameters: string;
} {
  const broken = result.items.filter(({ gold }) => gold === null).length;
  const { seed, repeats } = result.parameters;
  return {
    items: `${writePlural(result.items.length, 'item')}${broken > 0 ? ` (${broken} without a readable label)` : ''}`,
    labels: result.classes.map((label) => ({ label, items: result.items.filter(({ gold }) => gold === label).length })),
    parameters: `seed ${seed}, ${writePlural(repeats, 'repeat')}`,
  };
}
