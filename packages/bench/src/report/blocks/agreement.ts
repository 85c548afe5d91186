import { cell, writePercent, type BenchBlock, type MeasuredSet, tableHead } from '../block.ts';
import { writeCount } from '../write-values.ts';
import { trainingMark } from '../training-marks.ts';

const coefficient = (value: number) => value.toFixed(3);

/** Whether a system says the same again. Null with one repeat. */
export function consistencyBlock({ figures }: MeasuredSet): BenchBlock | null {
  const measured = figures.systems.flatMap(({ name: system, consistency }) =>
    consistency ? [{ system, ...consistency }] : [],
  );
  if (measured.length === 0) return null;
  const most = Math.max(...measured.map(({ passK }) => passK.length));
  return {
    title: 'Consistency',
    lead:
      'How much a system agrees with itself when it judges everything again. pass^k is the share of items ' +
      'judged correctly k times out of k, in percent; the spread is the standard deviation over repeats, in ' +
      'points.',
    table: {
      head: [
        ...tableHead('System', 'Repeats | Same label always'),
        ...Array.from({ length: most }, (_, place) => cell.number(`pass^${place + 1}`)),
        ...tableHead('', 'Krippendorff’s α | Spread, accuracy | Spread, F1'),
      ],
      rows: measured.map(({ system, repeats, sameLabel, passK, alpha, spread }) => [
        cell.name(system),
        cell.amount(repeats),
        cell.amount(sameLabel, writePercent),
        ...Array.from({ length: most }, (_, place) => cell.amount(passK[place] ?? null, writePercent)),
        cell.amount(alpha, coefficient),
        cell.amount(spread.accuracy, writePercent),
        cell.amount(spread.f1, writePercent),
      ]),
    },
  };
}

/** How people agreed, and how the systems do where people were split. */
export function ratersBlock({ result, figures }: MeasuredSet): BenchBlock | null {
  const { raters } = figures;
  const split = figures.systems.flatMap((system, place) =>
    system.humanSplit
      ? [{ system: system.name, mark: trainingMark(result.systems[place]!), ...system.humanSplit }]
      : [],
  );
  if (raters === null && split.length === 0) return null;
  const agreement = raters && [
    `${writeCount(raters.items)} items with up to ${raters.raters} raters each: they agree on ` +
      `${writePercent(raters.percent)} %`,
    ...(raters.cohen === null ? [] : [`Cohen’s κ ${coefficient(raters.cohen)}`]),
    ...(raters.krippendorff === null ? [] : [`Krippendorff’s α ${coefficient(raters.krippendorff)}`]),
  ];
  return {
    title: 'Raters',
    lead:
      'Where several people labelled an item: accuracy where they agreed and where they were split, and how ' +
      'far the scores are from the share of people who said so (Brier; lower is better).',
    ...(split.length > 0 && {
      table: {
        head: tableHead(
          'System',
          'Items agreed on | Accuracy there | Items split on | Accuracy there | ' +
            'Agrees with a rater | Brier against the share',
        ),
        rows: split.map(({ system, mark, unanimous, split: divided, agreementWithRaters, softBrier }) => [
          cell.name(system),
          cell.amount(unanimous.items),
          cell.estimate(unanimous.accuracy, { mark }),
          cell.amount(divided.items),
          cell.estimate(divided.accuracy, { mark }),
          cell.amount(agreementWithRaters, writePercent),
          cell.amount(softBrier, coefficient),
        ]),
      },
    }),
    notes: agreement ? [`${agreement.join(', ')}.`] : [],
  };
}
