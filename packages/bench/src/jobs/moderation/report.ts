import { AgonError } from '@agonhq/engine/agon-error';
import type { LabelledData } from '../../datasets/read-dataset.ts';
import { measureGrounds, type GroundsFigures } from './grounds.ts';
import type { LabelledContent } from './labelled-content.ts';
import {
  computeIntervals,
  computeMeanMetrics,
  computeMetrics,
  type Intervals,
  type SafetyMetrics,
} from '../safety/metrics.ts';
import type { ItemOutcome } from '../safety/run-safety.ts';
import type { SafetyRun } from '../safety/run-safety.ts';
import { dataFigures, systemFigures, type DataFigures, type SystemFigures } from '../safety/system-figures.ts';

/** What `agon bench moderation --json` prints for one set of data. */
export interface ModerationReport {
  version: 1;
  job: 'moderation';
  data: DataFigures & {
    /** What stood for the images: descriptions that came with the data, or the files themselves. */
    images: { described: number; files: number };
    /** The field of the table of categories. */
    by: string;
  };
  systems: ModerationSystemReport[];
}

export interface ModerationSystemReport extends SystemFigures {
  /** The same without the items that look like refusals, where the data marks them. */
  withoutRefusals?: { items: number; metrics: SafetyMetrics; intervals: Intervals };
  /** Whether verdicts rest on what people marked, where the data says so. */
  grounds?: GroundsFigures;
  /** Of the first repeat. */
  categories: CategoryReport[];
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

type Runs = readonly SafetyRun<LabelledContent>[];

/** The figures of systems over the same data, each with a run for each repeat. */
export function buildModerationReport(
  data: LabelledData<LabelledContent>,
  systems: readonly Runs[],
  by = 'category',
): ModerationReport {
  return {
    version: 1,
    job: 'moderation',
    data: { ...dataFigures(data), images: imagesIn(data), by },
    systems: systems.map((runs) => systemReport(runs, systems[0]!)),
  };
}

function systemReport(runs: Runs, first: Runs): ModerationSystemReport {
  const { outcomes } = runs[0]!;
  const grounds = measureGrounds(runs);
  const others = runs.map((run) => run.outcomes.filter(({ item }) => !item?.trivial));
  return {
    ...systemFigures(runs, first),
    ...(others[0]!.length < outcomes.length && {
      withoutRefusals: {
        items: others[0]!.length,
        metrics: computeMeanMetrics(others),
        intervals: computeIntervals(others),
      },
    }),
    ...(grounds && { grounds }),
    categories: categoriesOf(outcomes),
  };
}

function categoriesOf(outcomes: readonly ItemOutcome<LabelledContent>[]): CategoryReport[] {
  const named = outcomes.flatMap((outcome) =>
    outcome.item?.category ? [{ category: outcome.item.category, outcome }] : [],
  );
  return [...Map.groupBy(named, ({ category }) => category)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, members]) => {
      const group = members.map(({ outcome }) => outcome);
      const { accuracy, f1, undecided, failed } = computeMetrics(group);
      return {
        category,
        items: group.length,
        unsafe: group.filter(({ unsafe }) => unsafe).length,
        accuracy,
        f1,
        undecided,
        failed,
      };
    });
}

function imagesIn({ lines }: LabelledData<LabelledContent>): ModerationReport['data']['images'] {
  const images = lines.flatMap((line) =>
    'item' in line && !AgonError.is(line.item.subject) ? (line.item.subject.images ?? []) : [],
  );
  const described = images.filter((image) => 'description' in image).length;
  return { described, files: images.length - described };
}
