import type { GroupScores } from '../../figures/set-figures.ts';
import {
  amountCell,
  columnCell,
  estimateCell,
  nameCell,
  numberCell,
  formatPercent,
  textCell,
  type Block,
  type Cell,
  type MeasuredSet,
  formatMean,
} from '../block.ts';
import { trainingMark } from '../training-marks.ts';

const mostGroups = 60;

type System = MeasuredSet['figures']['systems'][number];
type GroupsOf = (system: System) => readonly GroupScores[];

/** Where each system errs: the error rate by category, darker where it is higher. */
export function categoryHeat(set: MeasuredSet): Block | null {
  const { result, figures } = set;
  const groups = groupsIn(set, ({ byCategory }) => byCategory);
  if (groups.shown.length < 2) return null;
  return {
    title: 'Errors by category',
    lead: 'The share of items of a category that a system judged wrongly, in percent: the darker, the more.',
    table: {
      head: [textCell('Category'), numberCell('Items'), ...result.systems.map((system) => columnCell(system.name))],
      rows: groups.shown.map(({ group, items }) => [
        nameCell(group),
        amountCell(items),
        ...figures.systems.map((system, place): Cell => {
          const accuracy = system.byCategory.find((scores) => scores.group === group)?.accuracy.value ?? null;
          const errors = accuracy === null ? null : 1 - accuracy;
          const mark = trainingMark(result.systems[place]!);
          return {
            ...amountCell(errors, formatPercent),
            ...(errors !== null && { shade: errors, ...(mark && { mark }) }),
          };
        }),
      ]),
    },
    notes: groups.notes,
  };
}

export function byCategoryBlock(set: MeasuredSet): Block | null {
  return groupBlock(set, 'By category', 'Category', ({ byCategory }) => byCategory);
}

export function byModalityBlock(set: MeasuredSet): Block | null {
  return groupBlock(set, 'By modality', 'Modality', ({ byModality }) => byModality);
}

function groupBlock(set: MeasuredSet, title: string, what: string, groupsOf: GroupsOf): Block | null {
  const groups = groupsIn(set, groupsOf);
  if (groups.shown.length < 2) return null;
  const shown = new Set(groups.shown.map(({ group }) => group));
  const rows = set.figures.systems.flatMap((system, place) =>
    groupsOf(system)
      .filter(({ group }) => shown.has(group))
      .map(({ group, items, positives, accuracy, f1, undecided, failed }) => {
        const mark = trainingMark(set.result.systems[place]!);
        return [
          nameCell(system.name),
          nameCell(group),
          amountCell(items),
          amountCell(positives),
          estimateCell(accuracy, { mark }),
          estimateCell(f1, { mark }),
          amountCell(undecided),
          amountCell(failed),
        ];
      }),
  );
  return {
    title,
    lead: 'In percent, with the 95 % interval.',
    table: {
      head: [
        textCell('System'),
        textCell(what),
        numberCell('Items'),
        { text: set.result.positive ?? 'positive', name: set.result.positive !== null, number: true },
        numberCell('Accuracy'),
        numberCell('F1'),
        numberCell('Undecided'),
        numberCell('Failed'),
      ],
      rows,
    },
    folded: what === 'Category',
    notes: groups.notes,
  };
}

/** The largest groups, in the order of the figures. */
function groupsIn({ figures }: MeasuredSet, groupsOf: GroupsOf): { shown: readonly GroupScores[]; notes: string[] } {
  const all = figures.systems[0] ? groupsOf(figures.systems[0]) : [];
  if (all.length <= mostGroups) return { shown: all, notes: [] };
  const largest = new Set(all.toSorted((a, b) => b.items - a.items).slice(0, mostGroups));
  return {
    shown: all.filter((group) => largest.has(group)),
    notes: [`The ${mostGroups} largest of ${all.length}: --json has all.`],
  };
}

export function byClassBlock({ figures }: MeasuredSet): Block {
  return {
    title: 'By class',
    lead: 'In percent.',
    table: {
      head: [
        textCell('System'),
        textCell('Class'),
        numberCell('Items'),
        numberCell('Precision'),
        numberCell('Recall'),
        numberCell('F1'),
      ],
      rows: figures.systems.flatMap((system) =>
        system.byClass.map(({ label, items, precision, recall, f1 }) => [
          nameCell(system.name),
          nameCell(label),
          amountCell(items),
          ...[precision, recall, f1].map((value) => amountCell(value, formatPercent)),
        ]),
      ),
    },
  };
}

/** What was said of items of each label. */
export function confusionBlock({ result, figures }: MeasuredSet): Block {
  const said = [...result.classes, 'undecided', 'failed'];
  return {
    title: 'Confusion',
    lead:
      'How many items of each label were called ' +
      `what${result.parameters.repeats > 1 ? ', the mean over repeats' : ''}. The darker a mistake, the larger ` +
      'its share of the label.',
    table: {
      head: [
        textCell('System'),
        textCell('Right label'),
        ...said.map((label, place) =>
          place < result.classes.length ? { ...numberCell(label), name: true } : numberCell(label),
        ),
      ],
      rows: figures.systems.flatMap((system) =>
        result.classes.map((gold) => {
          const row = system.confusion[gold] ?? {};
          const total = Object.values(row).reduce((sum, items) => sum + items, 0);
          return [
            nameCell(system.name),
            nameCell(gold),
            ...said.map((label) => ({
              ...amountCell(row[label] ?? 0, formatMean),
              ...(label !== gold && total > 0 && { shade: (row[label] ?? 0) / total }),
            })),
          ];
        }),
      ),
    },
  };
}
