import {
  amountCell,
  estimateCell,
  nameCell,
  numberCell,
  formatPercent,
  textCell,
  type Block,
  type MeasuredSet,
} from '../block.ts';
import { formatCount } from '../write-values.ts';
import { trainingMark } from '../training-marks.ts';

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
        textCell('System'),
        numberCell('Repeats'),
        numberCell('Same label always'),
        ...Array.from({ length: most }, (_, place) => numberCell(`pass^${place + 1}`)),
        numberCell('Krippendorff’s α'),
        numberCell('Spread, accuracy'),
        numberCell('Spread, F1'),
      ],
      rows: measured.map(({ system, repeats, sameLabel, passK, alpha, spread }) => [
        nameCell(system),
        amountCell(repeats),
        amountCell(sameLabel, formatPercent),
        ...Array.from({ length: most }, (_, place) => amountCell(passK[place] ?? null, formatPercent)),
        amountCell(alpha, coefficient),
        amountCell(spread.accuracy, formatPercent),
        amountCell(spread.f1, formatPercent),
      ]),
    },
  };
}

/** How people agreed, and how the systems do where people were split. */
export function ratersBlock({ result, figures }: MeasuredSet): Block | null {
  const { raters } = figures;
  const split = figures.systems.flatMap((system, place) =>
    system.humanSplit
      ? [{ system: system.name, mark: trainingMark(result.systems[place]!), ...system.humanSplit }]
      : [],
  );
  if (raters === null && split.length === 0) return null;
  const agreement =
    raters === null
      ? []
      : [
          `${formatCount(raters.items)} items with up to ${raters.raters} raters each: they agree on ${formatPercent(raters.percent)} ` +
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
          textCell('System'),
          numberCell('Items agreed on'),
          numberCell('Accuracy there'),
          numberCell('Items split on'),
          numberCell('Accuracy there'),
          numberCell('Agrees with a rater'),
          numberCell('Brier against the share'),
        ],
        rows: split.map(({ system, mark, unanimous, split: divided, agreementWithRaters, softBrier }) => [
          nameCell(system),
          amountCell(unanimous.items),
          estimateCell(unanimous.accuracy, { mark }),
          amountCell(divided.items),
          estimateCell(divided.accuracy, { mark }),
          amountCell(agreementWithRaters, formatPercent),
          amountCell(softBrier, coefficient),
        ]),
      },
    }),
    notes: agreement,
  };
}
