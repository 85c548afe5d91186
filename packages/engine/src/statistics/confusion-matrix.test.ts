import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accuracy,
  balancedAccuracy,
  f1,
  noConfusion,
  oneAgainstAll,
  precision,
  rarestClass,
  recall,
  placeInMatrix,
  countMatrix,
  classFigures,
  matrixItems,
  macroF1,
  matrixAccuracy,
  matrixKappa,
  type ConfusionMatrix,
  type LabelPair,
} from './confusion-matrix.ts';
import { cohenKappa } from './agreement.ts';

function table(
  pairs: readonly (readonly [string | null, string])[],
  rule: { leaveOut?: boolean; alarms?: boolean } = {},
  classes = ['a', 'b', 'c'],
): ConfusionMatrix {
  const judgements = pairs.map(([gold, said]): LabelPair => ({ gold, said }));
  return countMatrix(
    placeInMatrix(judgements, { classes, leaveOut: rule.leaveOut ?? false, alarms: rule.alarms ?? false }),
  );
}

describe('a table of classes', () => {
  test('gives what scikit-learn gives for its own examples', () => {
    // f1_score([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], average="macro"): 0.26666…
    const three = table([
      ['a', 'a'],
      ['b', 'c'],
      ['c', 'b'],
      ['a', 'a'],
      ['b', 'a'],
      ['c', 'b'],
    ]);
    expect(macroF1(three)).toBeCloseTo(0.8 / 3, 12);
    expect(classFigures(three, 0)).toEqual({
      items: 2,
      precision: expect.closeTo(2 / 3, 12),
      recall: 1,
      f1: expect.closeTo(0.8, 12),
    });
    // balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1]): 0.625
    expect(
      balancedAccuracy(
        table([
          ['a', 'a'],
          ['b', 'b'],
          ['a', 'a'],
          ['a', 'a'],
          ['b', 'a'],
          ['a', 'b'],
        ]),
      ),
    ).toBeCloseTo(0.625, 12);
  });

  test('counts what nobody decided as wrong and as no class, broken lines as wrong', () => {
    const some = table([
      ['a', 'a'],
      ['a', 'undecided'],
      ['b', 'failed'],
      [null, 'failed'],
    ]);
    expect([matrixItems(some), matrixAccuracy(some), balancedAccuracy(some)]).toEqual([4, 1 / 4, 1 / 4]);
    expect([classFigures(some, 0), classFigures(some, 1)]).toEqual([
      { items: 2, precision: 1, recall: 0.5, f1: expect.closeTo(2 / 3, 12) },
      { items: 1, precision: null, recall: 0, f1: 0 },
    ]);
  });

  test('leaves both out by the paper’s rule', () => {
    const some = table(
      [
        ['a', 'a'],
        ['a', 'undecided'],
        ['b', 'failed'],
        [null, 'a'],
      ],
      { leaveOut: true },
    );
    expect([matrixItems(some), matrixAccuracy(some), some.broken]).toEqual([1, 1, 0]);
  });

  test('means are over the classes that the items have, and nothing to measure is null', () => {
    expect(
      macroF1(
        table([
          ['a', 'a'],
          ['a', 'c'],
        ]),
      ),
    ).toBeCloseTo(2 / 3, 12);
    const none = table([]);
    expect([
      matrixAccuracy(none),
      macroF1(none),
      balancedAccuracy(none),
      matrixKappa(none),
      classFigures(none, 0).f1,
    ]).toEqual([null, null, null, null, null]);
    expect(balancedAccuracy(table([[null, 'a']]))).toBeNull();
  });

  const pair = fc.tuple(
    fc.constantFrom('safe', 'unsafe', null),
    fc.constantFrom('safe', 'unsafe', 'undecided', 'failed'),
  );

  test('its kappa is that of two raters, of whom one may say nothing', () => {
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const known = pairs.flatMap(([gold, said]) =>
          gold === null ? [] : [[gold, said.replace('failed', 'undecided')] as const],
        );
        expect(matrixKappa(table(pairs, {}, ['safe', 'unsafe']))).toBe(
          cohenKappa(
            known.map(([gold]) => gold),
            known.map(([, said]) => said),
          ),
        );
      }),
    );
  });
});

describe('one class against all others', () => {
  const some = { truePositives: 6, falsePositives: 2, falseNegatives: 3, trueNegatives: 8, unreadable: 1 };

  test('has its figures, in which a broken line is an error', () => {
    expect([accuracy(some), precision(some), recall(some), f1(some)]).toEqual([14 / 20, 6 / 8, 6 / 9, 12 / 18]);
    expect([accuracy, precision, recall, f1].map((figure) => figure(noConfusion))).toEqual([null, null, null, null]);
  });

  test('takes what nobody decided for a false alarm where one class is positive, and else for no class', () => {
    const pairs = [
      ['a', 'a'],
      ['a', 'b'],
      ['a', 'undecided'],
      ['b', 'a'],
      ['b', 'undecided'],
      ['b', 'b'],
      [null, 'a'],
    ] as const;
    const counted = { truePositives: 1, falsePositives: 1, falseNegatives: 2, trueNegatives: 2, unreadable: 1 };
    expect(oneAgainstAll(table(pairs, {}, ['a', 'b']), 0)).toEqual(counted);
    expect(oneAgainstAll(table(pairs, { alarms: true }, ['a', 'b']), 0)).toEqual({
      ...counted,
      falsePositives: 2,
      trueNegatives: 1,
    });
  });

  test('the rarest class is that of the fewest items, and none without any', () => {
    const pairs = [
      ['a', 'a'],
      ['a', 'a'],
      ['a', 'a'],
      ['b', 'undecided'],
      ['b', 'a'],
    ] as [string, string][];
    expect(rarestClass(table(pairs))).toBe(2);
  });

  test('what is counted more than once in a resample counts so', () => {
    const places = placeInMatrix(
      [{ gold: 'a', said: 'a' }, { gold: 'a', said: 'b' }, { gold: null, said: 'a' }, null],
      { classes: ['a', 'b'], leaveOut: false, alarms: false },
    );
    const { rows, broken } = countMatrix(places, Uint16Array.from([3, 1, 2, 5]));
    expect({ rows, broken }).toEqual({
      rows: [
        [3, 1, 0],
        [0, 0, 0],
      ],
      broken: 2,
    });
  });
});
