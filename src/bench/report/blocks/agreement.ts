import { amount, figure, name, number, percent, words, type Block, type MeasuredSet } from '../block.ts';
import { count } from '../write-values.ts';
import { markOf } from '../training-marks.ts';

const coefficient = (value: number) => value.toFixed(3);

/** Whether a system says the same again. Null with one repeat. */
export function consistencyBlock({ figures }: MeasuredSet): Block | null {
  const measured = figures.systems.flatMap(({ name: system, consistency }) =>
    consistency ? [{ system, ...consistency }] : [],
  );
  if (measured.length === 0) return null;
  const most = Math.max(...measured.map(({ passK }) => passK.length));
  return {
    title: 'Consistency',
    lead:
      'How much a system agrees with itself when it judges everything anew. pass^k is the share of items ' +
      'judged rightly k times out of k, in percent; the spread is the standard deviation over repeats, in ' +
      'points.',
    table: {
      head: [
        words('System'),
        number('Repeats'),
        number('Same label always'),
        ...Array.from({ length: most }, (_, place) => number(`pass^${place + 1}`)),
        number('Krippendorff’s α'),
        number('Spread, accuracy'),
        number('Spread, F1'),
      ],
      rows: measured.map(({ system, repeats, sameLabel, passK, alpha, spread }) => [
        name(system),
        amount(repeats),
        amount(sameLabel, percent),
        ...Array.from({ length: most }, (_, place) => amount(passK[place] ?? null, percent)),
        amount(alpha, coefficient),
        amount(spread.accuracy, percent),
        amount(spread.f1, percent),
      ]),
    },
  };
}

/** How people agreed, and how the systems do where people were split. */
export function ratersBlock({ sheet, figures }: MeasuredSet): Block | null {
  const { raters } = figures;
  const split = figures.systems.flatMap((system, place) =>
    system.humanSplit ? [{ system: system.name, mark: markOf(sheet.systems[place]!), ...system.humanSplit }] : [],
  );
  if (raters === null && split.length === 0) return null;
  const agreement =
    raters === null
      ? []
      : [
          `${count(raters.items)} items with up to ${raters.raters} raters each: they agree on ${percent(raters.percent)} ` +
            `%${raters.cohen === null ? '' : `, Cohen’s κ ${coefficient(raters.cohen)}`}${raters.krippendorff === null ? '' : `, Krippendorff’s α ${coefficient(raters.krippendorff)}`}.`,
        ];
  return {
    title: 'Raters',
    lead:
      'Where several people labelled an item: accuracy where they agreed and where they were split, and how ' +
      'far the scores are from the share of people who said so (Brier; lower is better).',
    ...(split.length > 0 && {
      table: {
        head: [
          words('System'),
          number('Items agreed on'),
          number('Accuracy there'),
          number('Items split on'),
          number('Accuracy there'),
          number('Agrees with a rater'),
          number('Brier against the share'),
        ],
        rows: split.map(({ system, mark, unanimous, split: divided, agreementWithRaters, softBrier }) => [
          name(system),
          amount(unanimous.items),
          figure(unanimous.accuracy, { mark }),
          amount(divided.items),
          figure(divided.accuracy, { mark }),
          amount(agreementWithRaters, percent),
          amount(softBrier, coefficient),
        ]),
      },
    }),
    notes: agreement,
  };
}
