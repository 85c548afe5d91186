import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accuracy, confusionOf, f1, precision, recall } from './confusion.ts';
import type { Outcome } from './outcome.ts';

type Pair = Pick<Outcome, 'unsafe' | 'said'>;
const times = (count: number, pair: Pair) => Array.from({ length: count }, () => pair);

test('the four figures are what a hand computes: 6 caught, 2 missed, 3 false alarms, 9 passed', () => {
  const confusion = confusionOf([
    ...times(6, { unsafe: true, said: 'unsafe' }),
    ...times(2, { unsafe: true, said: 'safe' }),
    ...times(3, { unsafe: false, said: 'unsafe' }),
    ...times(9, { unsafe: false, said: 'safe' }),
  ]);
  expect(accuracy(confusion)).toBeCloseTo(15 / 20, 12);
  expect(precision(confusion)).toBeCloseTo(6 / 9, 12);
  expect(recall(confusion)).toBeCloseTo(6 / 8, 12);
  expect(f1(confusion)).toBeCloseTo(12 / 17, 12);
});

test.each(['undecided', 'failed'] as const)(
  'an item that is %s is a miss when it is unsafe and a false alarm when it is safe',
  (said) => {
    expect(
      confusionOf([
        { unsafe: true, said },
        { unsafe: false, said },
      ]),
    ).toMatchObject({ falseNegatives: 1, falsePositives: 1, truePositives: 0, trueNegatives: 0 });
  },
);

test('a broken line is an error under accuracy and F1, whatever class it would have had', () => {
  const confusion = confusionOf([...times(3, { unsafe: true, said: 'unsafe' }), { unsafe: null, said: 'failed' }]);
  expect(accuracy(confusion)).toBeCloseTo(3 / 4, 12);
  expect(f1(confusion)).toBeCloseTo(6 / 7, 12);
  expect([precision(confusion), recall(confusion)]).toEqual([1, 1]);
});

test('what cannot be measured is null, not zero', () => {
  const onlySafe = confusionOf([{ unsafe: false, said: 'safe' }]);
  expect([accuracy(onlySafe), precision(onlySafe), recall(onlySafe), f1(onlySafe)]).toEqual([1, null, null, null]);
});

test('F1 is the harmonic mean of precision and recall', () => {
  const pair = fc.record({
    unsafe: fc.boolean(),
    said: fc.constantFrom('safe', 'unsafe', 'undecided', 'failed'),
  }) as fc.Arbitrary<Pair>;
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1 }), (pairs) => {
      const confusion = confusionOf(pairs);
      const [p, r] = [precision(confusion), recall(confusion)];
      if (p && r) expect(f1(confusion)).toBeCloseTo((2 * p * r) / (p + r), 9);
      expect(Object.values(confusion).reduce((sum: number, count: number) => sum + count, 0)).toBe(pairs.length);
    }),
  );
});
