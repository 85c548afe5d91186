import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cohenKappa, kappaOf } from './kappa.ts';

describe("Cohen's kappa", () => {
  test('is that of his paper: two judges, three diagnoses, 200 patients (Cohen 1960, page 45)', () => {
    // Agreement 0.70, by chance 0.41: 0.29 / 0.59.
    expect(
      kappaOf([
        [88, 14, 18],
        [10, 40, 10],
        [2, 6, 12],
      ]),
    ).toBeCloseTo(0.29 / 0.59, 12);
  });

  test('is that of the two by two table of the textbooks: 20, 5, 10, 15', () => {
    expect(
      kappaOf([
        [20, 5],
        [10, 15],
      ]),
    ).toBeCloseTo(0.4, 12);
  });

  test('is that of scikit-learn for labels that one rater never gives', () => {
    // cohen_kappa_score(["negative", "positive", "negative", "neutral", "positive"], ["negative", "positive",
    // "negative", "neutral", "negative"])
    expect(
      cohenKappa(
        ['negative', 'positive', 'negative', 'neutral', 'positive'],
        ['negative', 'positive', 'negative', 'neutral', 'negative'],
      ),
    ).toBeCloseTo(0.6875, 12);
    // Met in 2 of 3 items, by chance in 2 · 2 of 9.
    expect(cohenKappa(['a', 'a', 'b'], ['a', 'a', 'undecided'])).toBeCloseTo((2 / 3 - 4 / 9) / (1 - 4 / 9), 12);
  });

  test('is null without items, and where both always say the same one thing', () => {
    expect([cohenKappa([], []), cohenKappa(['a', 'a'], ['a', 'a']), kappaOf([])]).toEqual([null, null, null]);
  });

  test('is 1 for those who agree, the same both ways round, and blind to the names of labels', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 'b', 'c')), { minLength: 1 });
    fc.assert(
      fc.property(pairs, (both) => {
        const [first, second] = [both.map(([one]) => one), both.map(([, other]) => other)];
        const kappa = cohenKappa(first, second);
        if (new Set(first).size > 1) expect(cohenKappa(first, first)).toBe(1);
        const named = (labels: readonly string[]) => labels.map((label) => ({ a: 'z', b: 'y', c: 'x' })[label]!);
        for (const other of [cohenKappa(second, first), cohenKappa(named(first), named(second))]) {
          if (kappa === null) expect(other).toBeNull();
          else expect(other).toBeCloseTo(kappa, 12);
        }
      }),
    );
  });
});
