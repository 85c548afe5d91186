import type { GroupScores } from '../../figures/set-figures.ts';
import {
  amount,
  column,
  figure,
  name,
  number,
  percent,
  words,
  type Block,
  type Cell,
  type MeasuredSet,
  countOf,
} from '../block.ts';
import { markOf } from '../training-marks.ts';

const mostGroups = 60;

type System = MeasuredSet['figures']['systems'][number];
type GroupsOf = (system: System) => readonly GroupScores[];

/** Where each system errs: the error rate by category, darker where it is higher. */
export function categoryHeat(set: MeasuredSet): Block | null {
  const { sheet, figures } = set;
  const groups = groupsIn(set, ({ byCategory }) => byCategory);
  if (groups.shown.length < 2) return null;
  return {
    title: 'Errors by category',
    lead: 'The share of items of a category that a system judged wrongly, in percent: the darker, the more.',
    table: {
      head: [words('Category'), number('Items'), ...sheet.systems.map((system) => column(system.name))],
      rows: groups.shown.map(({ group, items }) => [
        name(group),
        amount(items),
        ...figures.systems.map((system, place): Cell => {
          const accuracy = system.byCategory.find((scores) => scores.group === group)?.accuracy.value ?? null;
          const errors = accuracy === null ? null : 1 - accuracy;
          const mark = markOf(sheet.systems[place]!);
          return { ...amount(errors, percent), ...(errors !== null && { shade: errors, ...(mark && { mark }) }) };
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
        const mark = markOf(set.sheet.systems[place]!);
        return [
          name(system.name),
          name(group),
          amount(items),
          amount(positives),
          figure(accuracy, { mark }),
          figure(f1, { mark }),
          amount(undecided),
          amount(failed),
        ];
      }),
  );
  return {
    title,
    lead: 'In percent, with the 95 % interval.',
    table: {
      head: [
        words('System'),
        words(what),
        number('Items'),
        { text: set.sheet.positive ?? 'positive', name: set.sheet.positive !== null, number: true },
        number('Accuracy'),
        number('F1'),
        number('Undecided'),
        number('Failed'),
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
      head: [words('System'), words('Class'), number('Items'), number('Precision'), number('Recall'), number('F1')],
      rows: figures.systems.flatMap((system) =>
        system.byClass.map(({ label, items, precision, recall, f1 }) => [
          name(system.name),
          name(label),
          amount(items),
          ...[precision, recall, f1].map((value) => amount(value, percent)),
        ]),
      ),
    },
  };
}

/** What was said of items of each label. */
export function confusionBlock({ sheet, figures }: MeasuredSet): Block {
  const said = [...sheet.classes, 'undecided', 'failed'];
  return {
    title: 'Confusion',
    lead:
      'How many items of each label were called ' +
      `what${sheet.parameters.repeats > 1 ? ', the mean over repeats' : ''}. The darker a mistake, the larger ` +
      'its share of the label.',
    table: {
      head: [
        words('System'),
        words('Right label'),
        ...said.map((label, place) =>
          place < sheet.classes.length ? { ...number(label), name: true } : number(label),
        ),
      ],
      rows: figures.systems.flatMap((system) =>
        sheet.classes.map((gold) => {
          const row = system.confusion[gold] ?? {};
          const total = Object.values(row).reduce((sum, items) => sum + items, 0);
          return [
            name(system.name),
            name(gold),
            ...said.map((label) => ({
              ...amount(row[label] ?? 0, countOf),
              ...(label !== gold && total > 0 && { shade: (row[label] ?? 0) / total }),
            })),
          ];
        }),
      ),
    },
  };
}
