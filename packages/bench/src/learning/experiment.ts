import type { ItemLine } from '@agonhq/engine/items';
import type { Content } from '@agonhq/judges/moderation';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledContent } from '../jobs/moderation/labelled-content.ts';
import type { SafetyJudgement, SafetyRun } from '../jobs/safety/run-safety.ts';
import type { BenchSystem } from '../systems/system.ts';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { randomNumbers, shuffle } from '@agonhq/engine/statistics';

/** What came of a batch that was learnt from. */
export interface Learnt {
  /** Precedents in the library afterwards. */
  library: number;
  learnt: number;
  /** Not learnt: alike to one that is there, contradicting one, or a lesson that did not hold. */
  leftOut: number;
}

/** Who learns, from an empty library on. */
export interface Learner {
  /** Judges with what was learnt from the batches before this one. */
  during(batch: number): BenchSystem<Content, SafetyJudgement>;
  /** Learns from the items it has judged in a batch. */
  after(batch: number, items: readonly LabelledContent[]): Promise<Learnt>;
}

export interface ExperimentOptions {
  batches: number;
  seed: number;
  /** Judges without any precedent. */
  control: BenchSystem<Content, SafetyJudgement>;
  learner: Learner;
  run(
    system: BenchSystem<Content, SafetyJudgement>,
    data: LabelledData<LabelledContent>,
  ): Promise<SafetyRun<LabelledContent>>;
}

/** One batch of the sequence: both on the same items. */
export interface BatchRun {
  /** From 1. */
  batch: number;
  control: SafetyRun<LabelledContent>;
  learner: SafetyRun<LabelledContent>;
  /** Precedents it was judged with. */
  library: number;
  learnt: Learnt;
}

/**
 * Aetheria's sequential experiment, once: batch after batch is judged without memory and with what was learnt so far,
 * then learnt from.
 */
export async function runExperiment(
  data: LabelledData<LabelledContent>,
  { batches, seed, control, learner, run }: ExperimentOptions,
): Promise<BatchRun[]> {
  const runs: BatchRun[] = [];
  let library = 0;
  for (const [index, lines] of divideIntoBatches(data.lines, batches, seed).entries()) {
    const batch = index + 1;
    const part = { ...data, lines };
    const withoutMemory = await run(control, part);
    const withMemory = await run(learner.during(batch), part);
    const learnt = await learner.after(
      batch,
      lines.flatMap((line) => ('item' in line ? [line.item] : [])),
    );
    runs.push({ batch, control: withoutMemory, learner: withMemory, library, learnt });
    library = learnt.library;
  }
  return runs;
}

type Line = ItemLine<LabelledContent>;

/**
 * Divides items into batches of one size in which labels and modalities are as frequent as in the whole; the seed
 * decides who goes where.
 */
export function divideIntoBatches(lines: readonly Line[], count: number, seed: number): Line[][] {
  if (lines.length < count)
    throw badFlag(
      `${lines.length} items cannot be divided into ${count} batches.`,
      'Give fewer --batches, or more data.',
    );
  const random = randomNumbers(seed);
  const batches: Line[][] = Array.from({ length: count }, () => []);
  // One deal through all strata: what is left over of one is made up for by the next.
  const dealt = [...Map.groupBy(lines, stratumOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, members]) => shuffle(members, random));
  for (const [place, line] of dealt.entries()) batches[place % count]!.push(line);
  return batches.map((batch) => shuffle(batch, random));
}

/** Label and modality; lines that cannot be read are a stratum of their own. */
export function stratumOf(line: Line): string {
  if ('error' in line || AgonError.is(line.item.subject)) return 'unreadable';
  const { text, images = [] } = line.item.subject;
  return `${line.item.label} ${[text !== undefined && 'text', images.length > 0 && 'image'].filter(Boolean).join('+')}`;
}
