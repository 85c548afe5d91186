import { expect, test } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import type { Claim } from '../../analysis.ts';
import { checkWholeClaim } from '../index.ts';

/* Each way of putting something, about every cell of a table: what holds is found to hold, and nothing else is. */

const years = ['2021', '2022', '2023', '2024'] as const;
const parcels: Record<string, readonly number[]> = {
  Ashby: [40, 44, 50, 61],
  Barrow: [80, 76, 70, 64],
  'Calder Falls': [20, 30, 25, 35],
};
const depots = Object.keys(parcels);
const totals = years.map((_, year) => depots.reduce((sum, depot) => sum + parcels[depot]![year]!, 0));
const rows = [...Object.entries(parcels), ['Total', totals] as const].map(([name, values]) => [
  name,
  ...values.map((value) => value.toFixed(1)),
]);
const dossier = {
  documents: [
    documentOf('report.md', ['# Depot report', 'Parcels by depot (thousand)', [['Depot', ...years], ...rows]]),
  ],
};

function outcomeOf(text: string): string {
  const claim: Claim = { id: 'claim-01', text, kind: 'assertion', domain: '', importance: 1, origin: null };
  return checkWholeClaim(claim, dossier)
    .findings.map(({ outcome }) => outcome)
    .join();
}

/** A statement, and whether it is true. */
type Statement = readonly [text: string, holds: boolean];

const cells = depots.flatMap((depot) => years.map((year, at) => ({ depot, year, at, value: parcels[depot]![at]! })));
const moves = cells
  .filter(({ at }) => at > 0)
  .map((cell) => ({ ...cell, before: parcels[cell.depot]![cell.at - 1]!, since: years[cell.at - 1]! }));
const pairs = years.flatMap((year, at) =>
  depots.flatMap((one) =>
    depots
      .filter((other) => other !== one)
      .map((other) => ({ one, other, year, a: parcels[one]![at]!, b: parcels[other]![at]! })),
  ),
);
const either = (make: (isTrue: boolean) => string): Statement[] => [
  [make(true), true],
  [make(false), false],
];
const rank = ({ at, value }: { at: number; value: number }) =>
  depots.filter((depot) => parcels[depot]![at]! > value).length;

const ways: Record<string, Statement[]> = {
  'its value': cells.flatMap(({ depot, year, value }) =>
    either((isTrue) => `Parcels in ${depot} came to ${(isTrue ? value : value * 1.1).toFixed(1)} thousand in ${year}.`),
  ),
  'a limit that it is above': cells.flatMap(({ depot, year, value }) =>
    either((isTrue) => `In ${year}, parcels in ${depot} exceeded ${value + (isTrue ? -1 : 1)} thousand.`),
  ),
  'a limit that it is below': cells.flatMap(({ depot, year, value }) =>
    either((isTrue) => `In ${year}, parcels in ${depot} were below ${value + (isTrue ? 1 : -1)} thousand.`),
  ),
  'what it is at least': cells.flatMap(({ depot, year, value }) =>
    either((isTrue) => `In ${year}, parcels in ${depot} were at least ${value + (isTrue ? 0 : 1)} thousand.`),
  ),
  'what it is at most': cells.flatMap(({ depot, year, value }) =>
    either((isTrue) => `In ${year}, parcels in ${depot} were at most ${value - (isTrue ? 0 : 1)} thousand.`),
  ),
  'by how much it moved': moves.flatMap(({ depot, year, value, before, since }) => {
    const moved = value > before ? 'rose' : 'fell';
    return either(
      (isTrue) =>
        `Parcels in ${depot} ${moved} by ${(Math.abs(value - before) + (isTrue ? 0 : 2)).toFixed(1)} thousand from ${since} to ${year}.`,
    );
  }),
  'by which share it moved': moves.flatMap(({ depot, year, value, before, since }) => {
    const share = (100 * (value - before)) / before;
    return either(
      (isTrue) =>
        `Parcels in ${depot} ${share > 0 ? 'rose' : 'fell'} by ${Math.round(Math.abs(share)) + (isTrue ? 0 : 6)} % from ${since} to ${year}.`,
    );
  }),
  'which way it moved': moves.flatMap(({ depot, year, value, before, since }) =>
    either(
      (isTrue) =>
        `Parcels in ${depot} were ${value > before === isTrue ? 'higher' : 'lower'} in ${year} than in ${since}.`,
    ),
  ),
  'which of two is more': pairs.flatMap(({ one, other, year, a, b }) =>
    either((isTrue) => `In ${year}, ${one} had ${a > b === isTrue ? 'more' : 'fewer'} parcels than ${other}.`),
  ),
  'by how much one is more': pairs
    .filter(({ a, b }) => a > b)
    .flatMap(({ one, other, year, a, b }) =>
      either(
        (isTrue) =>
          `In ${year}, parcels in ${one} exceeded those in ${other} by ${(a - b + (isTrue ? 0 : 4)).toFixed(1)} thousand.`,
      ),
    ),
  'what two come to together': pairs
    .filter(({ one, other }) => one < other)
    .flatMap(({ one, other, year, a, b }) =>
      either(
        (isTrue) =>
          `Parcels in ${one} and ${other} totalled ${(a + b + (isTrue ? 0 : 6)).toFixed(1)} thousand in ${year}.`,
      ),
    ),
  'which share of all it is': cells.flatMap(({ depot, year, at, value }) =>
    either(
      (isTrue) =>
        `${depot} accounted for ${Math.round((100 * value) / totals[at]!) + (isTrue ? 0 : 5)} % of all parcels in ${year}.`,
    ),
  ),
  'which is the highest': cells.map((cell) => [
    `${cell.depot} had the highest parcels of all depots in ${cell.year}.`,
    rank(cell) === 0,
  ]),
  'which is the lowest': cells.map((cell) => [
    `${cell.depot} had the lowest parcels of all depots in ${cell.year}.`,
    rank(cell) === 2,
  ]),
  'which comes second': cells.map((cell) => [
    `${cell.depot} ranked second in parcels in ${cell.year}.`,
    rank(cell) === 1,
  ]),
  'when it was highest': cells.map(({ depot, year, value }) => [
    `Parcels in ${depot} peaked in ${year}.`,
    value === Math.max(...parcels[depot]!),
  ]),
  'when it was lowest': cells.map(({ depot, year, value }) => [
    `Parcels in ${depot} were lowest in ${year}.`,
    value === Math.min(...parcels[depot]!),
  ]),
  'what it comes to on average': depots.flatMap((depot) => {
    const mean = parcels[depot]!.reduce((sum, value) => sum + value, 0) / years.length;
    return either(
      (isTrue) => `Parcels in ${depot} averaged ${(mean + (isTrue ? 0 : 3)).toFixed(2)} thousand per year.`,
    );
  }),
  'of how many it is true': years.flatMap((year, at) => {
    const values = depots.map((depot) => parcels[depot]![at]!);
    return [33, 48, 55, 68].flatMap((limit) => {
      const [above, below] = [
        values.filter((value) => value > limit).length,
        values.filter((value) => value < limit).length,
      ];
      const words = ['no', 'one', 'two', 'three'];
      return [0, 1, 2, 3].flatMap((count): Statement[] => [
        [`In ${year}, ${words[count]} of the three depots had parcels above ${limit} thousand.`, above === count],
        [`In ${year}, ${words[count]} of the three depots had parcels below ${limit} thousand.`, below === count],
        ...(count === 0
          ? []
          : ([
              [`In ${year}, at least ${words[count]} depots had parcels above ${limit} thousand.`, above >= count],
              [`In ${year}, at most ${words[count]} depots had parcels above ${limit} thousand.`, above <= count],
              [`In ${year}, more than ${words[count]} depots had parcels above ${limit} thousand.`, above > count],
              [`In ${year}, fewer than ${words[count]} depots had parcels above ${limit} thousand.`, above < count],
            ] as Statement[])),
      ]);
    });
  }),
};

/** A limit that is the value of a cell: who is told "at least" or "at most" counts that cell in. */
ways['of how many it is true, with one at the limit'] = years.flatMap((year, at) => {
  const values = depots.map((depot) => parcels[depot]![at]!);
  return values.flatMap((limit) => {
    const [above, below] = [
      values.filter((value) => value >= limit).length,
      values.filter((value) => value <= limit).length,
    ];
    const words = ['no', 'one', 'two', 'three'];
    return [1, 2, 3].flatMap((count): Statement[] => [
      [`In ${year}, ${words[count]} of the three depots had parcels of at least ${limit} thousand.`, above === count],
      [`In ${year}, ${words[count]} of the three depots had parcels of at most ${limit} thousand.`, below === count],
    ]);
  });
});

test.each(Object.entries(ways))('%s', (_, statements) => {
  const wrong = statements.filter(([text, holds]) => outcomeOf(text) !== (holds ? 'holds' : 'conflict'));
  expect(wrong.map(([text, holds]) => `${text} ${holds}: ${outcomeOf(text)}`)).toEqual([]);
});
