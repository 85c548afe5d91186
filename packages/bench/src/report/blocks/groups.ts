import type { GroupScores } from '../../figures/set-figures.ts';
import {
  cell,
  writePercent,
  type BenchBlock,
  type BlockCell,
  type MeasuredSet,
  formatMean,
  tableHead,
} from '../block.ts';
import { trainingMark } from '../training-marks.ts';

const mostGroups = 60;

type System = MeasuredSet['figures']['systems'][number];
type GroupsOf = (system: System) => readonly GroupScores[];

/** Where each system errs: the error rate by category, darker where it is higher. */
export function categoryHeat(set: MeasuredSet): BenchBlock | null {
  const { result, figures } = set;
  const groups = groupsIn(set, ({ byCategory }) => byCategory);
  if (groups.shown.length < 2) return null;
  return {
    title: 'Errors by category',
    lead: 'The share of items of a category that a system judged wrongly, in percent: the darker, the more.',
    table: {
      head: [...tableHead('Category', 'Items'), ...result.systems.map((system) => cell.column(system.name))],
      rows: groups.shown.map(({ group, items }) => [
        cell.name(group),
        cell.amount(items),
        ...figures.systems.map((system, place): BlockCell => {
          const accuracy = system.byCategory.find((scores) => scores.group === group)?.accuracy.value ?? null;
          const errors = accuracy === null ? null : 1 - accuracy;
          const mark = trainingMark(result.systems[place]!);
          return {
            ...cell.amount(errors, writePercent),
            ...(errors !== null && { shade: errors, ...(mark && { mark }) }),
          };
        }),
      ]),
    },
    notes: groups.notes,
  };
}

export function byCategoryBlock(set: MeasuredSet): BenchBlock | null {
  return groupBlock(set, 'By category', 'Category', ({ byCategory }) => byCategory);
}

export function byModalityBlock(set: MeasuredSet): BenchBlock | null {
  return groupBlock(set, 'By modality', 'Modality', ({ byModality }) => byModality);
}

function groupBlock(set: MeasuredSet, title: string, what: string, groupsOf: GroupsOf): BenchBlock | null {
  const groups = groupsIn(set, groupsOf);
  if (groups.shown.length < 2) return null;
  const shown = new Set(groups.shown.map(({ group }) => group));
  const rows = set.figures.systems.flatMap((system, place) =>
    groupsOf(system)
      .filter(({ group }) => shown.has(group))
      .map(({ group, items, positives, accuracy, f1, undecided, failed }) => {
        const mark = trainingMark(set.result.systems[place]!);
        return [
          cell.name(system.name),
          cell.name(group),
          cell.amount(items),
          cell.amount(positives),
          cell.estimate(accuracy, { mark }),
          cell.estimate(f1, { mark }),
          cell.amount(undecided),
          cell.amount(failed),
        ];
      }),
  );
  return {
    title,
    lead: 'In percent, with the 95 % interval.',
    table: {
      head: [
        cell.text('System'),
        cell.text(what),
        cell.number('Items'),
        { text: set.result.positive ?? 'positive', name: set.result.positive !== null, number: true },
        ...tableHead('', 'Accuracy | F1 | Undecided | Failed'),
      ],
      rows,
    },
    folded: what === 'Category',
    notes: groups.notes,
  };
}

function groupsIn({ figures }: MeasuredSet, groupsOf: GroupsOf): { shown: readonly GroupScores[]; notes: string[] } {
  const all = figures.systems[0] ? groupsOf(figures.systems[0]) : [];
  if (all.length <= mostGroups) return { shown: all, notes: [] };
  const largest = new Set(all.toSorted((a, b) => b.items - a.items).slice(0, mostGroups));
  return {
    shown: all.filter((group) => largest.has(group)),
    notes: [`The ${mostGroups} largest of ${all.length}: --json has all.`],
  };
}

export function byClassBlock({ figures }: MeasuredSet): BenchBlock {
  return {
    title: 'By class',
    lead: 'In percent.',
    table: {
      head: tableHead('System | Class', 'Items | Precision | Recall | F1'),
      rows: figures.systems.flatMap((system) =>
        system.byClass.map(({ label, items, precision, recall, f1 }) => [
          cell.name(system.name),
          cell.name(label),
          cell.amount(items),
          ...[precision, recall, f1].map((value) => cell.amount(value, writePercent)),
        ]),
      ),
    },
  };
}

/** What was said of items of each label. */
export function confusionBlock({ result, figures }: MeasuredSet): BenchBlock {
  const said = [...result.classes, 'undecided', 'failed'];
  return {
    title: 'Confusion',
    lead:
      'How many items of each label were called ' +
      `what${result.parameters.repeats > 1 ? ', the mean over repeats' : ''}. The darker a mistake, the larger ` +
      'its share of the label.',
    table: {
      head: [
        ...tableHead('System | Right label'),
        ...said.map((label, place) =>
          place < result.classes.length ? { ...cell.number(label), name: true } : cell.number(label),
        ),
      ],
      rows: figures.systems.flatMap((system) =>
        result.classes.map((gold) => {
          const row = system.confusion[gold] ?? {};
          const total = Object.values(row).reduce((sum, items) => sum + items, 0);
          return [
            cell.name(system.name),
            cell.name(gold),
            ...said.map((label) => ({
              ...cell.amount(row[label] ?? 0, formatMean),
              ...(label !== gold && total > 0 && { shade: (row[label] ?? 0) / total }),
            })),
          ];
        }),
      ),
    },
  };
}
