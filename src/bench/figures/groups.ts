import { bootstrapped, estimateOf } from '../metrics/bootstrap.ts';
import { classTable, confusionAbout, tableAccuracy } from '../metrics/class-table.ts';
import { f1 } from '../metrics/confusion.ts';
import { meanOf } from '../metrics/mean.ts';
import type { Resamples } from '../metrics/resamples.ts';
import type { ScoreSheet, SheetItem, SystemSheet } from '../sheet.ts';
import { cellsOf } from './counted.ts';
import type { GroupScores } from './set-figures.ts';

/** Places of items that have something in common, under its name. */
export type Group = readonly [name: string, places: readonly number[]];

/** In the order of their names; none where no item has what they have in common. */
export function groupsOf({ items }: ScoreSheet, nameOf: (item: SheetItem) => string | null): Group[] {
  const named = items.flatMap((item, place) => {
    const name = nameOf(item);
    return name === null ? [] : [{ name, place }];
  });
  return [...Map.groupBy(named, ({ name }) => name)]
    .map(([name, members]): Group => [name, members.map(({ place }) => place)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The scores of a system on a group of items, by the sheet's rule. */
export function groupScores(
  sheet: ScoreSheet,
  system: SystemSheet,
  [group, places]: Group,
  resamples: Resamples,
): GroupScores {
  const cells = system.repeats.map((outcomes) => cellsOf({ sheet, places, rule: sheet.parameters.invalid }, outcomes));
  const positive = sheet.positive === null ? -1 : sheet.classes.indexOf(sheet.positive);
  const figures = bootstrapped(resamples, places.length, (weights) => {
    const tables = cells.map((repeat) => classTable(repeat, weights));
    return {
      accuracy: meanOf(tables.map(tableAccuracy)),
      f1: positive < 0 ? null : meanOf(tables.map((table) => f1(confusionAbout(table, positive)))),
    };
  });
  const said = (label: string) =>
    meanOf(system.repeats.map((outcomes) => places.filter((place) => outcomes[place]!.said === label).length)) ?? 0;
  return {
    group,
    items: places.length,
    positives:
      sheet.positive === null ? 0 : places.filter((place) => sheet.items[place]!.gold === sheet.positive).length,
    accuracy: estimateOf(figures, 'accuracy'),
    f1: estimateOf(figures, 'f1'),
    undecided: said('undecided'),
    failed: said('failed'),
  };
}
