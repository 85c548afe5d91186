import type { Content } from '../../jobs/moderation/index.ts';
import type { LabelledData } from '../datasets/data-file.ts';
import type { LabelledContent } from '../datasets/labelled-content.ts';
import type { SystemRun } from '../systems/run-system.ts';
import type { BenchSystem } from '../systems/system.ts';
import { stratifiedBatches } from './batches.ts';

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
  during(batch: number): BenchSystem<Content>;
  /** Learns from the items it has judged in a batch. */
  after(batch: number, items: readonly LabelledContent[]): Promise<Learnt>;
}

export interface ExperimentOptions {
  batches: number;
  seed: number;
  /** Judges without any precedent. */
  control: BenchSystem<Content>;
  learner: Learner;
  run(system: BenchSystem<Content>, data: LabelledData<LabelledContent>): Promise<SystemRun<LabelledContent>>;
}

/** One batch of the sequence: both on the same items. */
export interface BatchRun {
  /** From 1. */
  batch: number;
  control: SystemRun<LabelledContent>;
  learner: SystemRun<LabelledContent>;
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
  for (const [index, lines] of stratifiedBatches(data.lines, batches, seed).entries()) {
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
