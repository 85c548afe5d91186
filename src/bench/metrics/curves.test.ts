import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { precisionRecallCurve, rocCurve, type CurvePoint } from './curves.ts';
import { rankingFigures, rankingOf, type Scored } from './ranking.ts';
import { eachOnce } from './resamples.ts';

/** The example of scikit-learn's documentation of both curves. */
const example = rankingOf([
  { positive: false, score: 0.1 },
  { positive: false, score: 0.4 },
  { positive: true, score: 0.35 },
  { positive: true, score: 0.8 },
]);
const points = (...list: [number, number, number][]) =>
  list.map(([x, y, threshold]): CurvePoint => ({ x, y, threshold }));

describe('curves', () => {
  test('are those of scikit-learn’s examples', () => {
    expect(rocCurve(example)).toEqual(points([0, 0, 1.8], [0, 0.5, 0.8], [0.5, 0.5, 0.4], [0.5, 1, 0.35], [1, 1, 0.1]));
    expect(precisionRecallCurve(example)).toEqual(
      points([0.5, 1, 0.8], [0.5, 0.5, 0.4], [1, 2 / 3, 0.35], [1, 0.5, 0.1]),
    );
  });

  test('items with the same score are one step', () => {
    expect(
      rocCurve(
        rankingOf([
          { positive: true, score: 0.5 },
          { positive: false, score: 0.5 },
        ]),
      ),
    ).toEqual(points([0, 0, 1.5], [1, 1, 0.5]));
  });

  test('items without a score are false alarms at once, or caught last, at thresholds that can be written down', () => {
    const curve = rocCurve(
      rankingOf([
        { positive: true, score: null },
        { positive: true, score: 0.5 },
        { positive: false, score: null },
      ]),
    );
    expect(curve).toEqual(points([0, 0, 1.5], [1, 0, 1.5], [1, 0.5, 0.5], [1, 1, -1]));
  });

  test('are null when a class is missing', () => {
    const one = rankingOf([
      { positive: true, score: 0.5 },
      { positive: null, score: 0.1 },
    ]);
    expect([rocCurve(one), precisionRecallCurve(one), rocCurve(rankingOf([]))]).toEqual([null, null, null]);
  });

  test('the area under the one is the AUC, the sum of steps under the other the average precision', () => {
    const scored: fc.Arbitrary<Scored> = fc.record({
      positive: fc.constantFrom(true, false, null),
      score: fc.constantFrom(0, 0.2, 0.4, 0.6, 0.8, 1, null),
    });
    fc.assert(
      fc.property(fc.array(scored, { maxLength: 40 }), (items) => {
        const ranking = rankingOf(items);
        const { auc, averagePrecision } = rankingFigures(ranking, 0, eachOnce(items.length));
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
