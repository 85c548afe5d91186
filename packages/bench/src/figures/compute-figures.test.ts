import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BenchResult, ResultItem, BenchItemResult, SystemResult } from '../result.ts';
import { wilsonInterval } from '@agonhq/engine/statistics';
import { failItem } from '../build-result.ts';
import { computeFigures } from './compute-figures.ts';
import type { Scores, SetFigures } from './set-figures.ts';

function item(line: number, gold: string | null, more: Partial<ResultItem> = {}): ResultItem {
  return {
    line,
    id: null,
    gold,
    category: null,
    modality: null,
    trivial: false,
    raters: null,
    model: null,
    excerpt: '',
    ...more,
  };
}

function said(label: string, score: number | null = null): BenchItemResult {
  return label === 'failed' ? failItem('It broke.') : { ...failItem(''), said: label, score, problem: null };
}

function system(name: string, ...repeats: BenchItemResult[][]): SystemResult {
  return {
    name,
    configuration: name,
    kind: 'baseline',
    models: [],
    of: null,
    rounds: null,
    trained: null,
    repeats,
    itemsPerSecond: null,
  };
}

function sheetOf(
  items: readonly ResultItem[],
  systems: readonly SystemResult[],
  more: Partial<BenchResult> = {},
): BenchResult {
  const data = { title: 'Made up', file: 'made-up.jsonl', sha256: '', format: 'jsonl', published: [] };
  const parameters = { seed: 1, repeats: 1, invalid: 'error' as const };
  return {
    job: 'moderation',
    data,
    classes: ['safe', 'unsafe'],
    positive: 'unsafe',
    parameters,
    items,
    systems,
    notes: [],
    ...more,
  };
}

const about = (value: number) => expect.closeTo(value, 9);
const values = ({ items, ...estimates }: Scores) => ({
  items,
  ...Object.fromEntries(Object.entries(estimates).map(([name, { value }]) => [name, value])),
});
const unmeasured = { value: null, interval: null };

/** Every number of the figures, wherever it stands. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

const eight = [
  item(1, 'unsafe', { category: 'a', modality: 'text', id: 'one' }),
  item(2, 'unsafe', { category: 'a', modality: 'text' }),
  item(3, 'unsafe', { category: 'b', modality: 'image' }),
  item(4, 'safe', { category: 'a', modality: 'text' }),
  item(5, 'safe', { category: 'b', modality: 'image', trivial: true }),
  item(6, 'safe', { category: 'b', modality: 'text' }),
  item(7, 'safe', { category: 'b', modality: 'text' }),
  item(8, null),
];
const first = system('first', [
  said('unsafe', 0.9),
  said('unsafe', 0.6),
  said('undecided', 0.5),
  said('safe', 0.1),
  said('safe', 0.2),
  said('unsafe', 0.8),
  said('failed'),
  said('failed'),
]);
const second = system('second', [
  said('safe', 0.4),
  said('unsafe', 0.7),
  said('unsafe', 0.9),
  said('safe', 0.3),
  said('safe', 0.2),
  said('safe', 0.1),
  said('safe', 0.4),
  said('failed'),
]);
const third = system('third', [...Array.from({ length: 7 }, () => said('unsafe')), said('failed')]);

describe('the figures of a result of safe and unsafe items', () => {
  const figures = computeFigures(sheetOf(eight, [first, second, third]));
  const [ours] = figures.systems;

  test('count what nobody decided, and broken lines, as errors', () => {
    // 2 caught, 1 missed (undecided), 2 false alarms (one failed), 2 passed, 1 broken.
    expect(values(ours!.scores)).toEqual({
      items: 8,
      accuracy: 4 / 8,
      precision: 2 / 4,
      recall: about(2 / 3),
      f1: 4 / 8,
      balancedAccuracy: about((2 / 3 + 2 / 4) / 2),
      macroF1: about(4 / 7),
      // 7 of 12 pairs: the item that failed lies above all.
      auc: about(7 / 12),
      averagePrecision: about((1 / 2 + 2 / 4 + 3 / 5) / 3),
      recallAt1PercentFpr: 0,
      ece: about(2.1 / 6),
      brier: about(1.11 / 6),
    });
    expect(ours!.kappa.value).toBeCloseTo((7 * 4 - 17) / (49 - 17), 12);
  });

  test('stand beside those that leave both out', () => {
    expect(ours!.otherRule).toMatchObject({ rule: 'exclude', leftOut: 3 });
    expect(values(ours!.otherRule.scores)).toEqual({
      items: 5,
      accuracy: 4 / 5,
      precision: about(2 / 3),
      recall: 1,
      f1: about(0.8),
      balancedAccuracy: about(5 / 6),
      macroF1: about(0.8),
      auc: about(5 / 6),
      averagePrecision: about((1 + 2 / 3) / 2),
      recallAt1PercentFpr: 0.5,
      ece: about(1.6 / 5),
      brier: about(0.86 / 5),
    });
    const turned = computeFigures(
      sheetOf(eight, [first, second, third], { parameters: { seed: 1, repeats: 1, invalid: 'exclude' } }),
    );
    expect(turned.systems[0]!.scores).toEqual(ours!.otherRule.scores);
    expect(turned.systems[0]!.otherRule).toEqual({ rule: 'error', leftOut: 3, scores: ours!.scores });
  });

  test('are the same by both rules where every item was decided', () => {
    const { scores, otherRule } = computeFigures(
      sheetOf(eight.slice(0, 7), [system('decided', second.repeats[0]!.slice(0, 7))]),
    ).systems[0]!;
    expect(otherRule).toEqual({ rule: 'exclude', leftOut: 0, scores });
  });

  test('come without trivial items too, where some are marked', () => {
    expect([ours!.withoutTrivial!.items, ours!.withoutTrivial!.accuracy.value]).toEqual([7, 3 / 7]);
    expect(
      computeFigures(sheetOf(eight.slice(0, 2), [system('one', [said('unsafe'), said('unsafe')])])).systems[0]!
        .withoutTrivial,
    ).toBeNull();
  });

  test('class by class, and as a table of what was said of which', () => {
    expect(ours!.byClass).toEqual([
      { label: 'safe', items: 4, precision: about(2 / 3), recall: 0.5, f1: about(4 / 7) },
      { label: 'unsafe', items: 3, precision: 0.5, recall: about(2 / 3), f1: about(4 / 7) },
    ]);
    expect(ours!.confusion).toEqual({
      safe: { safe: 2, unsafe: 1, undecided: 0, failed: 1 },
      unsafe: { safe: 0, unsafe: 2, undecided: 1, failed: 0 },
    });
  });

  test('by category and by modality, in the order of their names', () => {
    expect(ours!.byCategory).toEqual([
      // A resample without an unsafe item has no F1, so that there is no interval.
      {
        group: 'a',
        items: 3,
        positives: 2,
        accuracy: { value: 1, interval: wilsonInterval(3, 3) },
        f1: { value: 1, interval: null },
        undecided: 0,
        failed: 0,
      },
      {
        group: 'b',
        items: 4,
        positives: 1,
        accuracy: { value: 0.25, interval: [0, 0.75] },
        f1: { value: 0, interval: null },
        undecided: 1,
        failed: 1,
      },
    ]);
    expect(ours!.byModality.map(({ group, items, accuracy, f1 }) => [group, items, accuracy.value, f1.value])).toEqual([
      ['image', 2, 0.5, 0],
      ['text', 5, 0.6, about(2 / 3)],
    ]);
  });

  test('name what was not settled', () => {
    expect(ours!.unsettled).toEqual({
      undecided: [{ line: 3, id: null }],
      failed: [
        { line: 7, id: null, problem: 'It broke.' },
        { line: 8, id: null, problem: 'It broke.' },
      ],
    });
  });

  test('curves go through every score, and begin with the item that has none', () => {
    expect(ours!.roc!.map(({ x, y, threshold }) => [x, y, threshold])).toEqual([
      [0, 0, 1.9],
      [0.25, 0, 1.9],
      [0.25, about(1 / 3), 0.9],
      [0.5, about(1 / 3), 0.8],
      [0.5, about(2 / 3), 0.6],
      [0.5, 1, 0.5],
      [0.75, 1, 0.2],
      [1, 1, 0.1],
    ]);
    expect(ours!.precisionRecall!.map(({ x, y }) => [x, y])).toEqual(
      [
        [0, 0],
        [1 / 3, 1 / 2],
        [1 / 3, 1 / 3],
        [2 / 3, 1 / 2],
        [1, 3 / 5],
        [1, 1 / 2],
        [1, 3 / 7],
      ].map((point) => point.map(about)),
    );
    expect(ours!.reliability!.map(({ items, meanProbability, share }) => [items, meanProbability, share])).toEqual([
      [0, null, null],
      [1, 0.1, 0],
      [1, 0.2, 0],
      [0, null, null],
      [0, null, null],
      [1, 0.5, 1],
      [1, 0.6, 1],
      [0, null, null],
      [1, 0.8, 0],
      [1, 0.9, 1],
    ]);
  });

  test('compare the first system with every other, corrected over the pairs of systems', () => {
    expect(
      figures.comparisons.map(({ difference, bootstrap, ...rest }) => ({
        ...rest,
        value: difference.value,
        p: bootstrap !== null,
      })),
    ).toEqual([
      // Only the first is right on line 1, only the second on 3, 6 and 7: 2 · 5 / 16. A resample of items that the
      // second passes has no F1.
      {
        first: 'first',
        second: 'second',
        metric: 'f1',
        value: about(4 / 8 - 4 / 6),
        onlyFirst: 1,
        onlySecond: 3,
        mcnemar: about(0.625),
        corrected: 1,
        p: false,
      },
      {
        first: 'first',
        second: 'second',
        metric: 'accuracy',
        value: -0.25,
        onlyFirst: 1,
        onlySecond: 3,
        mcnemar: about(0.625),
        corrected: 1,
        p: true,
      },
      {
        first: 'first',
        second: 'third',
        metric: 'f1',
        value: about(4 / 8 - 6 / 11),
        onlyFirst: 2,
        onlySecond: 1,
        mcnemar: 1,
        corrected: 1,
        p: true,
      },
      {
        first: 'first',
        second: 'third',
        metric: 'accuracy',
        value: about(4 / 8 - 3 / 8),
        onlyFirst: 2,
        onlySecond: 1,
        mcnemar: 1,
        corrected: 1,
        p: true,
      },
    ]);
  });

  test('correct the smaller p for both pairs, the larger for itself alone', () => {
    const ten = Array.from({ length: 10 }, (_, place) => item(place + 1, 'unsafe'));
    const wrongOn = (count: number) =>
      system(
        `wrong-on-${count}`,
        ten.map((_, place) => said(place < count ? 'safe' : 'unsafe')),
      );
    const { comparisons } = computeFigures(sheetOf(ten, [wrongOn(0), wrongOn(6), wrongOn(8)]));
    expect(
      comparisons.filter(({ metric }) => metric === 'accuracy').map(({ mcnemar, corrected }) => [mcnemar, corrected]),
    ).toEqual([
      [about(2 / 64), about(2 / 64)],
      [about(2 / 256), about(4 / 256)],
    ]);
  });

  test('say nothing of scores that a system does not give, or of the calibration of scores that are no probabilities', () => {
    const { auc, averagePrecision, recallAt1PercentFpr, ece, brier } = figures.systems[2]!.scores;
    expect([auc, averagePrecision, recallAt1PercentFpr, ece, brier]).toEqual([
      unmeasured,
      unmeasured,
      unmeasured,
      unmeasured,
      unmeasured,
    ]);
    const logits = system(
      'logits',
      first.repeats[0]!.map((outcome) => ({
        ...outcome,
        score: outcome.score === null ? null : outcome.score * 10 - 5,
      })),
    );
    const [measured] = computeFigures(sheetOf(eight, [logits])).systems;
    expect([measured!.scores.auc, measured!.scores.ece, measured!.scores.brier, measured!.reliability]).toEqual([
      ours!.scores.auc,
      unmeasured,
      unmeasured,
      null,
    ]);
  });

  test('nobody rated the items, nothing was repeated', () => {
    expect([ours!.humanSplit, ours!.consistency, figures.raters]).toEqual([null, null, null]);
  });

  test('another seed draws otherwise, and measures the same', () => {
    const others = computeFigures(sheetOf(eight, [first], { parameters: { seed: 7, repeats: 1, invalid: 'error' } }))
      .systems[0]!;
    expect(values(others.scores)).toEqual(values(ours!.scores));
    expect(others.scores).not.toEqual(ours!.scores);
  });
});

test('the figures of claims are about all their classes, and about none as positive', () => {
  const golds = ['entailed', 'entailed', 'entailed', 'refuted', 'neutral'].map((gold, place) => item(place + 1, gold));
  const [one, other] = [
    ['entailed', 'entailed', 'refuted', 'refuted', 'undecided'],
    ['entailed', 'entailed', 'entailed', 'refuted', 'refuted'],
  ].map((labels) => labels.map((label) => said(label)));
  const figures = computeFigures(
    sheetOf(golds, [system('one', one!), system('other', other!)], {
      job: 'documents',
      classes: ['entailed', 'refuted', 'neutral'],
      positive: null,
    }),
  );
  const { scores, byClass, kappa } = figures.systems[0]!;
  expect(values(scores)).toEqual({
    items: 5,
    accuracy: 3 / 5,
    balancedAccuracy: about((2 / 3 + 1 + 0) / 3),
    macroF1: about((0.8 + 2 / 3 + 0) / 3),
    precision: null,
    recall: null,
    f1: null,
    auc: null,
    averagePrecision: null,
    recallAt1PercentFpr: null,
    ece: null,
    brier: null,
  });
  // What nobody decided is no false alarm of any class.
  expect(byClass).toEqual([
    { label: 'entailed', items: 3, precision: 1, recall: about(2 / 3), f1: about(0.8) },
    { label: 'refuted', items: 1, precision: 0.5, recall: 1, f1: about(2 / 3) },
    { label: 'neutral', items: 1, precision: null, recall: 0, f1: 0 },
  ]);
  // By chance 3 · 2 + 1 · 2 of 25.
  expect(kappa.value).toBeCloseTo((5 * 3 - 8) / (25 - 8), 12);
  expect(figures.comparisons.map(({ metric, difference }) => [metric, difference.value])).toEqual([
    ['balancedAccuracy', about(5 / 9 - 2 / 3)],
    ['accuracy', about(-1 / 5)],
  ]);
});

describe('with repeats', () => {
  const golds = ['unsafe', 'safe', 'unsafe'].map((gold, place) => item(place + 1, gold));
  const twice = system(
    'twice',
    [said('unsafe'), said('safe'), said('safe')],
    [said('unsafe'), said('unsafe'), said('safe')],
  );
  const figures = computeFigures(
    sheetOf(golds, [twice, system('once', [said('unsafe'), said('safe'), said('unsafe')])]),
  );

  test('figures are means over them', () => {
    const { scores, confusion, consistency } = figures.systems[0]!;
    expect([scores.accuracy.value, scores.f1.value]).toEqual([about((2 / 3 + 1 / 3) / 2), about((2 / 3 + 1 / 2) / 2)]);
    expect(confusion).toEqual({
      safe: { safe: 0.5, unsafe: 0.5, undecided: 0, failed: 0 },
      unsafe: { safe: 1, unsafe: 1, undecided: 0, failed: 0 },
    });
    // Ratings: unsafe unsafe, safe unsafe, safe safe: 4 pairs met of 6 ratings, 3 of each label.
    expect(consistency).toEqual({
      repeats: 2,
      sameLabel: about(2 / 3),
      passK: [about(0.5), about(1 / 3)],
      alpha: about((5 * 4 - 12) / (30 - 12)),
      spread: { accuracy: about(1 / 6), f1: about(1 / 12) },
    });
    expect(figures.systems[1]!.consistency).toBeNull();
  });

  test('an item is judged rightly when more than half of them are right', () => {
    expect(figures.comparisons[0]).toMatchObject({ onlyFirst: 0, onlySecond: 2, mcnemar: about(0.5) });
  });
});

describe('with raters', () => {
  const rated = [['unsafe', 'unsafe', 'unsafe'], ['unsafe', 'safe', 'unsafe'], ['safe', 'safe'], null].map(
    (raters, place) => item(place + 1, place < 2 ? 'unsafe' : 'safe', { raters }),
  );
  const one = system('one', [said('unsafe', 0.9), said('safe', 0.4), said('undecided', 0.5), said('safe', 0.1)]);

  test('a system is measured where they agree, where they do not, and against their shares', () => {
    const { humanSplit } = computeFigures(sheetOf(rated, [one])).systems[0]!;
    expect(
      [humanSplit!.unanimous, humanSplit!.split].map(({ group, items, accuracy }) => [group, items, accuracy.value]),
    ).toEqual([
      ['unanimous', 2, 0.5],
      ['split', 1, 0],
    ]);
    expect(humanSplit).toMatchObject({
      agreementWithRaters: about((1 + 1 / 3 + 0) / 3),
      softBrier: about((0.1 ** 2 + (0.4 - 2 / 3) ** 2 + 0.5 ** 2) / 3),
    });
  });

  test('what nobody decided is left out by the paper’s rule', () => {
    const { humanSplit } = computeFigures(
      sheetOf(rated, [one], { parameters: { seed: 1, repeats: 1, invalid: 'exclude' } }),
    ).systems[0]!;
    expect(humanSplit).toMatchObject({
      agreementWithRaters: about((1 + 1 / 3) / 2),
      softBrier: about((0.1 ** 2 + (0.4 - 2 / 3) ** 2) / 2),
    });
  });

  test('their agreement among themselves is measured; kappa where they are two', () => {
    expect(computeFigures(sheetOf(rated, [])).raters).toEqual({
      items: 3,
      raters: 3,
      percent: about((1 + 1 / 3 + 1) / 3),
      cohen: null,
      krippendorff: about((7 * 6 - 26) / (56 - 26)),
    });
    const pairs = [
      ['safe', 'safe'],
      ['unsafe', 'unsafe'],
      ['safe', 'unsafe'],
      ['safe', 'safe'],
    ].map((raters, place) => item(place + 1, raters[0]!, { raters }));
    // Met in 3 of 4, by chance 3 · 2 + 1 · 2 of 16.
    expect(computeFigures(sheetOf(pairs, [])).raters).toMatchObject({
      items: 4,
      raters: 2,
      percent: 0.75,
      cohen: about((4 * 3 - 8) / (16 - 8)),
    });
  });
});

describe('where there is nothing to measure', () => {
  test('everything failed: no right answer, and no score', () => {
    const failed = system(
      'failed',
      eight.map(() => said('failed')),
    );
    const { scores, otherRule, kappa, roc, precisionRecall, reliability, unsettled } = computeFigures(
      sheetOf(eight, [failed, failed]),
    ).systems[0]!;
    expect(values(scores)).toEqual({
      items: 8,
      accuracy: 0,
      balancedAccuracy: 0,
      macroF1: 0,
      precision: 0,
      recall: 0,
      f1: 0,
      auc: null,
      averagePrecision: null,
      recallAt1PercentFpr: null,
      ece: null,
      brier: null,
    });
    expect(Object.values(otherRule.scores)).toEqual([0, ...Array.from({ length: 11 }, () => unmeasured)]);
    expect([otherRule.leftOut, kappa.value, roc, precisionRecall, reliability, unsettled.failed.length]).toEqual([
      8,
      0,
      null,
      null,
      null,
      8,
    ]);
  });

  test('all are undecided, and left out: McNemar has nothing to test', () => {
    const silent = system(
      'silent',
      eight.map(() => said('undecided')),
    );
    const { comparisons } = computeFigures(
      sheetOf(eight, [silent, silent], { parameters: { seed: 1, repeats: 1, invalid: 'exclude' } }),
    );
    expect(comparisons[0]).toMatchObject({
      difference: unmeasured,
      onlyFirst: 0,
      onlySecond: 0,
      mcnemar: null,
      bootstrap: null,
      corrected: null,
    });
  });

  test('no items, no systems, no repeats', () => {
    expect(Object.values(computeFigures(sheetOf([], [system('none', [])])).systems[0]!.scores)).toEqual([
      0,
      ...Array.from({ length: 11 }, () => unmeasured),
    ]);
    expect(computeFigures(sheetOf(eight, []))).toEqual({ systems: [], comparisons: [], receipts: [], raters: null });
    expect(computeFigures(sheetOf(eight, [system('never')])).systems[0]!.scores.accuracy).toEqual(unmeasured);
  });

  test('one class alone has no ranking', () => {
    const { scores } = computeFigures(
      sheetOf([item(1, 'safe'), item(2, 'safe')], [system('one', [said('safe', 0.1), said('unsafe', 0.9)])]),
    ).systems[0]!;
    expect([scores.auc, scores.recall, scores.balancedAccuracy.value]).toEqual([unmeasured, unmeasured, 0.5]);
  });
});

describe('any sheet', () => {
  const label = fc.constantFrom('safe', 'unsafe');
  const outcome = fc
    .record({
      label: fc.constantFrom('safe', 'unsafe', 'undecided', 'failed'),
      score: fc.option(fc.constantFrom(0, 0.1, 0.35, 0.5, 0.8, 1)),
    })
    .map(({ label: word, score }) => said(word, score));
  const row = fc.record({
    gold: fc.option(label, { freq: 8 }),
    category: fc.option(fc.constantFrom('a', 'b')),
    trivial: fc.boolean(),
    raters: fc.option(fc.array(label, { maxLength: 3 })),
    outcomes: fc.tuple(outcome, outcome, outcome),
  });
  const rows = fc.array(row, { maxLength: 25 });
  const rule = fc.constantFrom('error' as const, 'exclude' as const);

  function made(
    from: readonly (typeof rows extends fc.Arbitrary<(infer Row)[]> ? Row : never)[],
    invalid: 'error' | 'exclude',
  ): BenchResult {
    const items = from.map(({ gold, category, trivial, raters }, place) =>
      item(place + 1, gold, { category, trivial, raters }),
    );
    const run = (index: 0 | 1 | 2) => from.map(({ outcomes }) => outcomes[index]);
    return sheetOf(items, [system('repeated', run(0), run(1)), system('once', run(2))], {
      parameters: { seed: 1, repeats: 2, invalid },
    });
  }

  function pointsOf({ systems, comparisons, raters }: SetFigures): (number | null)[] {
    return [
      ...systems.flatMap(({ scores, otherRule, withoutTrivial, kappa, byClass, consistency, humanSplit }) => [
        ...[scores, otherRule.scores, ...(withoutTrivial ? [withoutTrivial] : [])].flatMap(
          (some) => Object.values(values(some)) as (number | null)[],
        ),
        kappa.value,
        ...byClass.flatMap(({ precision, recall, f1 }) => [precision, recall, f1]),
        ...(consistency ? [consistency.alpha, consistency.sameLabel, ...consistency.passK] : []),
        humanSplit?.softBrier ?? null,
        humanSplit?.agreementWithRaters ?? null,
      ]),
      ...comparisons.flatMap(({ difference, mcnemar, corrected }) => [difference.value, mcnemar, corrected]),
      raters?.krippendorff ?? null,
      raters?.percent ?? null,
    ];
  }

  const near = (expected: readonly (number | null)[]) =>
    expected.map((value) => (value === null ? null : about(value)));

  test('has figures that are numbers, the same every time', () => {
    fc.assert(
      fc.property(rows, rule, (some, invalid) => {
        const result = made(some, invalid);
        const figures = computeFigures(result);
        expect(numbersIn(figures).every(Number.isFinite)).toBe(true);
        expect(JSON.stringify(computeFigures(result))).toBe(JSON.stringify(figures));
      }),
      { numRuns: 8 },
    );
  });

  test('measures the same in any order of its items', () => {
    fc.assert(
      fc.property(rows, rule, (some, invalid) => {
        const shuffled = [
          ...some.filter((_, place) => place % 3 === 1),
          ...some.filter((_, place) => place % 3 !== 1).toReversed(),
        ];
        expect(pointsOf(computeFigures(made(shuffled, invalid)))).toEqual(
          near(pointsOf(computeFigures(made(some, invalid)))),
        );
      }),
      { numRuns: 8 },
    );
  });

  test('turns the sign of its differences when two systems change places', () => {
    fc.assert(
      fc.property(rows, rule, (some, invalid) => {
        const result = made(some, invalid);
        const [there, back] = [result.systems, result.systems.toReversed()].map(
          (systems) => computeFigures({ ...result, systems }).comparisons,
        );
        back!.forEach((comparison, place) => {
          const mirror = there![place]!;
          expect(comparison).toMatchObject({
            first: mirror.second,
            second: mirror.first,
            onlyFirst: mirror.onlySecond,
            onlySecond: mirror.onlyFirst,
            mcnemar: mirror.mcnemar,
            bootstrap: mirror.bootstrap,
          });
          expect(comparison.difference.value).toEqual(
            mirror.difference.value === null ? null : about(-mirror.difference.value),
          );
        });
      }),
      { numRuns: 8 },
    );
  });
});
