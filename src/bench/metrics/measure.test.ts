import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootstrapInterval } from './bootstrap.ts';
import { accuracy, confusionOf, f1, recall } from './confusion.ts';
import { meanOf } from './mean.ts';
import { difference, estimate, metricsOf } from './measure.ts';
import type { Outcome } from './outcome.ts';

const outcome = fc.record({
  unsafe: fc.constantFrom(true, false, null),
  said: fc.constantFrom('safe', 'unsafe', 'undecided', 'failed'),
  score: fc.constant(null),
  rawScore: fc.constant(null),
}) as fc.Arbitrary<Outcome>;
const twoRepeats = fc.array(fc.tuple(outcome, outcome), { maxLength: 30 });

describe('a figure with its interval', () => {
  test('is the statistic over the items drawn one by one, each with all its repeats', () => {
    fc.assert(
      fc.property(twoRepeats, fc.constantFrom(accuracy, f1, recall), (pairs, statistic) => {
        const both = (sample: readonly (readonly [Outcome, Outcome])[]) =>
          meanOf([0, 1].map((repeat) => statistic(confusionOf(sample.map((pair) => pair[repeat]!)))));
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
        const between = (sample: readonly (readonly [Outcome, Outcome])[]) => {
          const [mine, other] = [
            accuracy(confusionOf(sample.map(([first]) => first))),
            accuracy(confusionOf(sample.map(([, second]) => second))),
          ];
          return mine === null || other === null ? null : mine - other;
        };
        expect(difference([ours], [theirs], accuracy)).toEqual({
          value: between(pairs),
          interval: bootstrapInterval(pairs, between),
        });
      }),
      { numRuns: 15 },
    );
  });
});

describe('metrics by score', () => {
  const judged = (scores: readonly (number | null)[]) =>
    scores.map((score, index): Outcome => ({ unsafe: index % 2 === 0, said: 'unsafe', score, rawScore: score }));

  test('where nobody gave a score, there is nothing to rank by', () => {
    expect(metricsOf(judged([null, null]))).toMatchObject({ auc: null, recallAt1PercentFpr: null, ece: null });
  });

  test('scores that are no probabilities rank the items, and are not calibrated', () => {
    expect(metricsOf(judged([1.7, 0.2]))).toMatchObject({ auc: 1, recallAt1PercentFpr: 1, ece: null });
  });
});
