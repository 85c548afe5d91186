import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accuracy,
  bootstrapInterval,
  countMatrix,
  f1,
  meanOf,
  oneAgainstAll,
  placeInMatrix,
  precision,
  recall,
} from '@agonhq/engine/statistics';
import { countConfusions, difference, estimate, computeMetrics } from './metrics.ts';
import type { SafetyOutcome } from './run-safety.ts';

const outcome = fc.record({
  unsafe: fc.constantFrom(true, false, null),
  said: fc.constantFrom('safe', 'unsafe', 'undecided', 'failed'),
  score: fc.constant(null),
  rawScore: fc.constant(null),
}) as fc.Arbitrary<SafetyOutcome>;
const twoRepeats = fc.array(fc.tuple(outcome, outcome), { maxLength: 30 });

describe('a figure with its interval', () => {
  test('is the statistic over the items drawn one by one, each with all its repeats', () => {
    fc.assert(
      fc.property(twoRepeats, fc.constantFrom(accuracy, f1, recall), (pairs, statistic) => {
        const both = (sample: readonly (readonly [SafetyOutcome, SafetyOutcome])[]) =>
          meanOf([0, 1].map((repeat) => statistic(countConfusions(sample.map((pair) => pair[repeat]!)))));
        const found = estimate(
          [0, 1].map((repeat) => pairs.map((pair) => pair[repeat]!)),
          statistic,
        );
        expect(found).toEqual({ value: both(pairs), interval: bootstrapInterval(pairs, both) });
      }),
      { numRuns: 15 },
    );
  });

  test('differences are between two systems on the same draws', () => {
    fc.assert(
      fc.property(twoRepeats, (pairs) => {
        const [ours, theirs] = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
        const between = (sample: readonly (readonly [SafetyOutcome, SafetyOutcome])[]) => {
          const [mine, other] = [
            accuracy(countConfusions(sample.map(([first]) => first))),
            accuracy(countConfusions(sample.map(([, second]) => second))),
          ];
          return mine === null || other === null ? null : mine - other;
        };
        expect(difference([ours], [theirs], accuracy)).toEqual({
          value: between(pairs),
          interval: bootstrapInterval(pairs, between, true),
        });
      }),
      { numRuns: 15 },
    );
  });
});

describe('metrics by score', () => {
  const judged = (scores: readonly (number | null)[]) =>
    scores.map((score, index): SafetyOutcome => ({ unsafe: index % 2 === 0, said: 'unsafe', score, rawScore: score }));

  test('where nobody gave a score, there is nothing to rank by', () => {
    expect(computeMetrics(judged([null, null]))).toMatchObject({ auc: null, recallAt1PercentFpr: null, ece: null });
  });

  test('scores that are no probabilities rank the items, and are not calibrated', () => {
    expect(computeMetrics(judged([1.7, 0.2]))).toMatchObject({ auc: 1, recallAt1PercentFpr: 1, ece: null });
  });
});

type Pair = Pick<SafetyOutcome, 'unsafe' | 'said'>;
const times = (count: number, pair: Pair) => Array.from({ length: count }, () => pair);

test('the four figures are what a hand computes: 6 caught, 2 missed, 3 false alarms, 9 passed', () => {
  const confusion = countConfusions([
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
      countConfusions([
        { unsafe: true, said },
        { unsafe: false, said },
      ]),
    ).toMatchObject({ falseNegatives: 1, falsePositives: 1, truePositives: 0, trueNegatives: 0 });
  },
);

test('a broken line is an error under accuracy and F1, whatever class it would have had', () => {
  const confusion = countConfusions([...times(3, { unsafe: true, said: 'unsafe' }), { unsafe: null, said: 'failed' }]);
  expect(accuracy(confusion)).toBeCloseTo(3 / 4, 12);
  expect(f1(confusion)).toBeCloseTo(6 / 7, 12);
  expect([precision(confusion), recall(confusion)]).toEqual([1, 1]);
});

test('what cannot be measured is null, not zero', () => {
  const onlySafe = countConfusions([{ unsafe: false, said: 'safe' }]);
  expect([accuracy(onlySafe), precision(onlySafe), recall(onlySafe), f1(onlySafe)]).toEqual([1, null, null, null]);
});

test('F1 is the harmonic mean of precision and recall', () => {
  const pair = fc.record({
    unsafe: fc.boolean(),
    said: fc.constantFrom('safe', 'unsafe', 'undecided', 'failed'),
  }) as fc.Arbitrary<Pair>;
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1 }), (pairs) => {
      const confusion = countConfusions(pairs);
      const [p, r] = [precision(confusion), recall(confusion)];
      if (p && r) expect(f1(confusion)).toBeCloseTo((2 * p * r) / (p + r), 9);
      expect(Object.values(confusion).reduce((sum: number, count: number) => sum + count, 0)).toBe(pairs.length);
    }),
  );
});

test('the confusion of safe and unsafe is that of a matrix with a positive class', () => {
  const pair = fc.tuple(
    fc.constantFrom('safe', 'unsafe', null),
    fc.constantFrom('safe', 'unsafe', 'undecided', 'failed'),
  );
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const places = placeInMatrix(
        pairs.map(([gold, said]) => ({ gold, said })),
        { classes: ['safe', 'unsafe'], leaveOut: false, alarms: true },
      );
      const known = countConfusions(
        pairs.map(([gold, said]) => ({ unsafe: gold === null ? null : gold === 'unsafe', said: said as 'safe' })),
      );
      expect(oneAgainstAll(countMatrix(places), 1)).toEqual(known);
    }),
  );
});
