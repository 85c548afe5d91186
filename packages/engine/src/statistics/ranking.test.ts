import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countEachOnce, drawResamples } from './bootstrap.ts';
import {
  areaUnderCurve,
  precisionRecallCurve,
  rankingFigures,
  rankItems,
  recallAtFalsePositiveRate,
  rocCurve,
  type CurvePoint,
  type Scored,
} from './ranking.ts';

const items = (unsafe: readonly (number | null)[], safe: readonly (number | null)[]) => [
  ...unsafe.map((score) => ({ positive: true, score })),
  ...safe.map((score) => ({ positive: false, score })),
];
const averagePrecision = (some: readonly Scored[]) =>
  rankingFigures(rankItems(some), 0, countEachOnce(some.length)).averagePrecision;
const scores = fc.array(fc.constantFrom(0, 0.1, 0.25, 0.5, 0.75, 0.9, 1), { minLength: 1, maxLength: 30 });

describe('the area under the curve', () => {
  test('is that of scikit-learn’s example: roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])', () => {
    expect(areaUnderCurve(items([0.35, 0.8], [0.1, 0.4]))).toBe(0.75);
  });

  test('counts pairs, a tie as half a pair: 0.9 and 0.5 over 0.5 and 0.1', () => {
    expect(areaUnderCurve(items([0.9, 0.5], [0.5, 0.1]))).toBeCloseTo(3.5 / 4, 12);
  });

  test('is 1 when every unsafe item is above every safe one, 0 the other way round, a half when all are equal', () => {
    expect([
      areaUnderCurve(items([0.9, 0.8], [0.1])),
      areaUnderCurve(items([0.1], [0.9, 0.8])),
      areaUnderCurve(items([0.5, 0.5], [0.5])),
    ]).toEqual([1, 0, 0.5]);
  });

  test('ranks an item without a score as badly as can be', () => {
    expect(areaUnderCurve(items([null, 1], [0, 1]))).toBeCloseTo((0 + 1 + 0.5) / 4, 12);
    expect(areaUnderCurve(items([1], [null]))).toBe(0);
  });

  test('is null when a class is missing', () => {
    expect([areaUnderCurve(items([0.5], [])), areaUnderCurve(items([], [0.5])), areaUnderCurve([])]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('is what counting all pairs gives, and does not change when scores are stretched', () => {
    fc.assert(
      fc.property(scores, scores, (unsafe, safe) => {
        const wins = unsafe.flatMap((one) => safe.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
        const area = areaUnderCurve(items(unsafe, safe))!;
        expect(area).toBeCloseTo(wins.reduce<number>((sum, win) => sum + win, 0) / wins.length, 9);
        expect(
          areaUnderCurve(
            items(
              unsafe.map((score) => score ** 3),
              safe.map((score) => score ** 3),
            ),
          ),
        ).toBeCloseTo(area, 9);
      }),
    );
  });
});

describe('average precision', () => {
  test('is that of scikit-learn’s example: average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])', () => {
    expect(averagePrecision(items([0.35, 0.8], [0.1, 0.4]))).toBeCloseTo(0.5 + 1 / 3, 12);
  });

  test('takes items with the same score as one step: 1 of 2, then 2 of 4', () => {
    expect(averagePrecision(items([0.5, 0.2], [0.5, 0.2]))).toBe(0.5);
    expect(averagePrecision(items([0.9, 0.2], [0.2]))).toBeCloseTo(0.5 + 0.5 * (2 / 3), 12);
  });

  test('is null when a class is missing', () => {
    expect(averagePrecision(items([0.5], []))).toBeNull();
  });
});

describe('figures of a resample', () => {
  test('from the order that was sorted once are those of the items drawn', () => {
    fc.assert(
      fc.property(scores, scores, (unsafe, safe) => {
        const all = items(unsafe, safe);
        const ranking = rankItems(all);
        let visits = 0;
        drawResamples()(all.length, (weights) => {
          visits += 1;
          if (visits > 5) return;
          const sample = all.flatMap((item, place) => Array.from({ length: weights[place]! }, () => item));
          const figures = rankingFigures(ranking, 0.2, weights);
          expect([figures.auc, figures.averagePrecision, figures.recall]).toEqual([
            areaUnderCurve(sample),
            averagePrecision(sample),
            recallAtFalsePositiveRate(sample, 0.2),
          ]);
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe('recall at a false positive rate', () => {
  test('allows just as many false alarms as the rate says: 29 of 2,900', () => {
    expect(
      recallAtFalsePositiveRate(
        items(
          [0.5],
          Array.from({ length: 2_900 }, (_, index) => (index < 29 ? 0.9 : 0.1)),
        ),
        0.01,
      ),
    ).toBe(1);
  });

  const safe = Array.from({ length: 100 }, (_, index) => index / 200);

  test('is the share of unsafe items above the threshold that one in a hundred safe items passes', () => {
    expect(recallAtFalsePositiveRate(items([0.9, 0.495, 0.492, 0.2], safe), 0.01)).toBe(0.75);
  });

  test('a threshold cannot part items with the same score', () => {
    expect(recallAtFalsePositiveRate(items([0.9, 0.5], [0.5, 0.5, 0.1]), 0.01)).toBe(0.5);
  });

  test('is 0 when a safe item is above all, and null when a class is missing', () => {
    expect(recallAtFalsePositiveRate(items([0.9], [0.95, 0.1]), 0.01)).toBe(0);
    expect(recallAtFalsePositiveRate(items([0.9], []), 0.01)).toBeNull();
  });

  test('never falls when more false alarms are allowed', () => {
    fc.assert(
      fc.property(scores, scores, (unsafe, others) => {
        const recalls = [0, 0.01, 0.2, 0.5, 1].map((rate) => recallAtFalsePositiveRate(items(unsafe, others), rate)!);
        expect(recalls).toEqual(recalls.toSorted((a, b) => a - b));
        expect(recalls.at(-1)).toBe(1);
      }),
    );
  });
});

/** The example of scikit-learn's documentation of both curves. */
const sklearnExample = rankItems([
  { positive: false, score: 0.1 },
  { positive: false, score: 0.4 },
  { positive: true, score: 0.35 },
  { positive: true, score: 0.8 },
]);
const points = (...list: [number, number, number][]) =>
  list.map(([x, y, threshold]): CurvePoint => ({ x, y, threshold }));

describe('curves', () => {
  test('are those of scikit-learn’s examples', () => {
    expect(rocCurve(sklearnExample)).toEqual(
      points([0, 0, 1.8], [0, 0.5, 0.8], [0.5, 0.5, 0.4], [0.5, 1, 0.35], [1, 1, 0.1]),
    );
    expect(precisionRecallCurve(sklearnExample)).toEqual(
      points([0.5, 1, 0.8], [0.5, 0.5, 0.4], [1, 2 / 3, 0.35], [1, 0.5, 0.1]),
    );
  });

  test('items with the same score are one step', () => {
    expect(
      rocCurve(
        rankItems([
          { positive: true, score: 0.5 },
          { positive: false, score: 0.5 },
        ]),
      ),
    ).toEqual(points([0, 0, 1.5], [1, 1, 0.5]));
  });

  test('items without a score are false alarms at once, or caught last, at thresholds that can be written down', () => {
    const curve = rocCurve(
      rankItems([
        { positive: true, score: null },
        { positive: true, score: 0.5 },
        { positive: false, score: null },
      ]),
    );
    expect(curve).toEqual(points([0, 0, 1.5], [1, 0, 1.5], [1, 0.5, 0.5], [1, 1, -1]));
  });

  test('are null when a class is missing', () => {
    const one = rankItems([
      { positive: true, score: 0.5 },
      { positive: null, score: 0.1 },
    ]);
    expect([rocCurve(one), precisionRecallCurve(one), rocCurve(rankItems([]))]).toEqual([null, null, null]);
  });

  test('the area under the one is the AUC, the sum of steps under the other the average precision', () => {
    const scored: fc.Arbitrary<Scored> = fc.record({
      positive: fc.constantFrom(true, false, null),
      score: fc.constantFrom(0, 0.2, 0.4, 0.6, 0.8, 1, null),
    });
    fc.assert(
      fc.property(fc.array(scored, { maxLength: 40 }), (items) => {
        const ranking = rankItems(items);
        const { auc, averagePrecision } = rankingFigures(ranking, 0, countEachOnce(items.length));
        const roc = rocCurve(ranking);
        expect([auc === null, averagePrecision === null]).toEqual([roc === null, roc === null]);
        if (!roc) return;
        expect(
          roc.slice(1).reduce((area, { x, y }, place) => area + ((x - roc[place]!.x) * (y + roc[place]!.y)) / 2, 0),
        ).toBeCloseTo(auc!, 9);
        const steps = precisionRecallCurve(ranking)!;
        expect(steps.reduce((sum, { x, y }, place) => sum + (x - (steps[place - 1]?.x ?? 0)) * y, 0)).toBeCloseTo(
          averagePrecision!,
          9,
        );
        expect(JSON.parse(JSON.stringify(roc))).toEqual(roc);
      }),
    );
  });
});
