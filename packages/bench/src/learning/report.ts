import { addUsage, noUsage, type Usage } from '@agonhq/engine/debate';
import { findCell, countCells } from '../jobs/safety/metrics.ts';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledContent } from '../jobs/moderation/labelled-content.ts';
import { dataFigures, type DataFigures } from '../jobs/safety/system-figures.ts';
import type { BatchRun } from './experiment.ts';
import { bootstrapInterval, type Confusion, type Estimate, f1, meanOf } from '@agonhq/engine/statistics';

/** What `agon bench learning --json` prints for one set of data. */
export interface LearningReport {
  version: 1;
  job: 'learning';
  data: DataFigures;
  parameters: {
    mode: 'failures' | 'all';
    batches: number;
    seed: number;
    repeats: number;
    curator: string;
    models: Record<string, string>;
  };
  /** In their order; the mean over repeats, where there are several. */
  batches: BatchFigures[];
  /** All batches that had something to draw on, together. */
  afterFirst: LearningFigures | null;
  usage: { control: Usage; learner: Usage };
}

export interface LearningFigures {
  items: number;
  control: Estimate;
  learner: Estimate;
  /** Learner minus control, on the same resamples. */
  difference: Estimate;
}

export interface BatchFigures extends LearningFigures {
  batch: number;
  /** Precedents the batch was judged with, and how many it added or left out. */
  library: number;
  learnt: number;
  leftOut: number;
}

interface Pair {
  repeat: number;
  control: keyof Confusion;
  learner: keyof Confusion;
}

/** The figures of the experiment: one sequence of batches for each repeat. */
export function buildLearningReport(
  data: LabelledData<LabelledContent>,
  repeats: readonly (readonly BatchRun[])[],
  parameters: LearningReport['parameters'],
): LearningReport {
  const [first = []] = repeats;
  const ofBatch = (index: number) => repeats.map((runs) => runs[index]!);
  const later = first.slice(1).flatMap((_, index) => pairsOf(ofBatch(index + 1)));
  const runs = repeats.flat();
  return {
    version: 1,
    job: 'learning',
    data: dataFigures(data),
    parameters,
    batches: first.map(({ batch }, index) => {
      const same = ofBatch(index);
      const mean = (value: (run: BatchRun) => number) => meanOf(same.map(value))!;
      return {
        batch,
        ...figuresOf(pairsOf(same)),
        library: mean(({ library }) => library),
        learnt: mean(({ learnt }) => learnt.learnt),
        leftOut: mean(({ learnt }) => learnt.leftOut),
      };
    }),
    afterFirst: later.length === 0 ? null : figuresOf(later),
    usage: {
      control: usageOf(runs.map(({ control }) => control)),
      learner: usageOf(runs.map(({ learner }) => learner)),
    },
  };
}

function pairsOf(runs: readonly BatchRun[]): Pair[] {
  return runs.flatMap(({ control, learner }, repeat) =>
    control.outcomes.map((outcome, item) => ({
      repeat,
      control: findCell(outcome),
      learner: findCell(learner.outcomes[item]!),
    })),
  );
}

function figuresOf(pairs: readonly Pair[]): LearningFigures {
  const repeats = [...new Set(pairs.map(({ repeat }) => repeat))];
  // A resample of a small batch may leave one of the repeats without an unsafe item: the others are averaged.
  const f1Of = (side: 'control' | 'learner') => (sample: readonly Pair[]) =>
    meanOf(
      repeats
        .map((repeat) => f1(countCells(sample.filter((pair) => pair.repeat === repeat).map((pair) => pair[side]))))
        .filter((value) => value !== null),
    );
  const [control, learner] = [f1Of('control'), f1Of('learner')];
  const gain = (sample: readonly Pair[]) => {
    const [without, withMemory] = [control(sample), learner(sample)];
    return without === null || withMemory === null ? null : withMemory - without;
  };
  const estimate = (statistic: (sample: readonly Pair[]) => number | null, differs = false): Estimate => ({
    value: statistic(pairs),
    interval: bootstrapInterval(pairs, statistic, differs),
  });
  return {
    items: pairs.length,
    control: estimate(control),
    learner: estimate(learner),
    difference: estimate(gain, true),
  };
}

function usageOf(runs: readonly { judged: readonly { usage: Usage }[] }[]): Usage {
  return runs.flatMap(({ judged }) => judged.map(({ usage }) => usage)).reduce(addUsage, noUsage);
}
