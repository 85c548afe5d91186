import { amount, countOf, name, number, percent, words, type Block } from '../block.ts';
import type { MeasuredSet } from '../measured-set.ts';

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
