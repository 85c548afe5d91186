import type { BenchResult, ResultItem, SystemResult } from '../result.ts';
import { placeOutcomes } from './count-repeats.ts';
import type { GroupScores } from './set-figures.ts';
import {
  bootstrapStatistics,
  countMatrix,
  estimateFrom,
  f1,
  matrixAccuracy,
  meanOf,
  oneAgainstAll,
  type Resamples,
} from '@agonhq/engine/statistics';

/** Places of items that have something in common, under its name. */
export type Group = readonly [name: string, places: readonly number[]];

/** In the order of their names; none where no item has what they have in common. */
export function groupItems({ items }: BenchResult, nameOf: (item: ResultItem) => string | null): Group[] {
  const named = items.flatMap((item, place) => {
    const name = nameOf(item);
    return name === null ? [] : [{ name, place }];
  });
  return [...Map.groupBy(named, ({ name }) => name)]
    .map(([name, members]): Group => [name, members.map(({ place }) => place)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The scores of a system on a group of items, by the sheet's rule. */
export function scoreGroup(
  result: BenchResult,
  system: SystemResult,
  [group, places]: Group,
  resamples: Resamples,
): GroupScores {
  const cells = system.repeats.map((outcomes) =>
    placeOutcomes({ result, places, rule: result.parameters.invalid }, outcomes),
  );
  const positive = result.positive === null ? -1 : result.classes.indexOf(result.positive);
  const figures = bootstrapStatistics(resamples, places.length, (weights) => {
    const tables = cells.map((repeat) => countMatrix(repeat, weights));
    return {
      accuracy: meanOf(tables.map(matrixAccuracy)),
      f1: positive < 0 ? null : meanOf(tables.map((table) => f1(oneAgainstAll(table, positive)))),
    };
  });
  const said = (label: string) =>
    meanOf(system.repeats.map((outcomes) => places.filter((place) => outcomes[place]!.said === label).length)) ?? 0;
  const positives =
    result.positive === null ? 0 : places.filter((place) => result.items[place]!.gold === result.positive).length;
  return {
    group,
    items: places.length,
    positives,
    accuracy: estimateFrom(figures, 'accuracy'),
    f1: estimateFrom(figures, 'f1', positives),
    undecided: said('undecided'),
    failed: said('failed'),
  };
}
