import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  agreementBetween,
  agreementWithRaters,
  cohenKappa,
  kappaOf,
  krippendorffAlpha,
  passK,
  percentAgreement,
  shareOf,
  softBrier,
  unanimous,
  type Ratings,
} from './agreement.ts';

/** What each observer said of the units, a dot for nothing, turned into what was said of each unit. */
function units(...observers: string[]): Ratings[] {
  return observers[0]!
    .split('')
    .map((_, unit) => observers.map((observer) => (observer[unit] === '.' ? null : observer[unit]!)));
}

const fourObservers = units('123321412...', '1233224125.3', '.3332342251.', '12332441251.');

describe("Krippendorff's alpha, on the nominal examples of “Computing Krippendorff's Alpha-Reliability” (2011)", () => {
  test('two observers, binary data: 0.095', () => {
    expect(krippendorffAlpha(units('0100000010', '1110010000'))).toBeCloseTo(2 / 21, 12);
  });

  test('two observers, five values, 12 units: 0.692', () => {
    expect(krippendorffAlpha(units('aabbdcccedda', 'babbbccceddd'))).toBeCloseTo(155 / 224, 12);
  });

  test('four observers, 12 units, with gaps: 0.743', () => {
    expect(krippendorffAlpha(fourObservers)).toBeCloseTo(904 / 1216, 12);
  });
});

describe('agreement', () => {
  test('is null where nothing was rated twice, or nothing could have been disagreed about', () => {
    expect([
      krippendorffAlpha([]),
      krippendorffAlpha([['a', null], ['b']]),
      krippendorffAlpha([
        ['a', 'a'],
        ['a', 'a', 'a'],
      ]),
    ]).toEqual([null, null, null]);
    expect([percentAgreement([]), percentAgreement([['a', null]])]).toEqual([null, null]);
  });

  test('in percent is the share of pairs of raters, item by item: 1 and 1 of 3 pairs', () => {
    expect(percentAgreement([['a', 'a'], ['a', 'b', 'a'], ['b']])).toBeCloseTo((1 + 1 / 3) / 2, 12);
  });

  test('does not ask who said what, nor in which order the items come', () => {
    const ratings = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', null), { maxLength: 5 }), { maxLength: 20 });
    fc.assert(
      fc.property(ratings, (items) => {
        const turned = items.map((labels) => labels.toReversed()).toReversed();
        for (const measure of [krippendorffAlpha, percentAgreement]) {
          const [one, other] = [measure(items), measure(turned)];
          if (one === null) expect(other).toBeNull();
          else expect(other).toBeCloseTo(one, 9);
        }
      }),
    );
  });

  test('is 1 where all agree on more than one label', () => {
    expect([
      krippendorffAlpha([
        ['a', 'a', 'a'],
        ['b', 'b'],
      ]),
      percentAgreement([
        ['a', 'a', 'a'],
        ['b', 'b'],
      ]),
    ]).toEqual([1, 1]);
  });
});

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

const votes = (of: Record<string, string>) => new Map(Object.entries(of));

test('two raters agree as computed by hand', () => {
  // 3 of 4 alike; by chance (3·2 + 1·2) / 16 = 1/2: κ = (3/4 − 1/2) / (1 − 1/2).
  const items = [
    votes({ ada: 'safe', ben: 'safe' }),
    votes({ ada: 'safe', ben: 'safe' }),
    votes({ ada: 'unsafe', ben: 'unsafe' }),
    votes({ ada: 'safe', ben: 'unsafe' }),
    votes({ ada: 'unsafe' }),
  ];
  const { items: judged, raters, percent, kappa, alpha, pairs } = agreementBetween(items);
  expect([judged, raters, percent, kappa]).toEqual([4, ['ada', 'ben'], 0.75, 0.5]);
  // 5 safe and 3 unsafe of 8: disagreement met 2/8, by chance 2·5·3 / (8·7).
  expect(alpha).toBeCloseTo(1 - 2 / 8 / (30 / 56), 12);
  expect(pairs).toEqual([{ between: ['ada', 'ben'], items: 4, percent: 0.75, kappa: 0.5 }]);
});

test('of three, kappa is the mean over the pairs who met and could have disagreed', () => {
  const items = [
    votes({ ada: 'safe', ben: 'unsafe' }),
    votes({ ada: 'unsafe', ben: 'safe' }),
    votes({ ben: 'safe', cleo: 'safe' }),
  ];
  const { kappa, pairs } = agreementBetween(items);
  expect(pairs.map(({ between, kappa: own }) => [between.join('+'), own])).toEqual([
    ['ada+ben', -1],
    ['ben+cleo', null],
  ]);
  expect(kappa).toBe(-1);
});

test('where nobody met there is no figure', () => {
  expect(agreementBetween([votes({ ada: 'safe' })])).toEqual({
    items: 0,
    raters: [],
    percent: null,
    kappa: null,
    alpha: null,
    pairs: [],
  });
});

test('raters are unanimous when all say the same', () => {
  expect([unanimous(['safe', 'safe']), unanimous(['safe', 'unsafe', 'safe']), unanimous(['safe'])]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a soft label is the share of raters', () => {
  expect([shareOf(['safe', 'unsafe', 'unsafe'], 'unsafe'), shareOf([], 'unsafe')]).toEqual([2 / 3, 0]);
});

test('agreement with a rater picked at random: all of two, one of three, none', () => {
  const items = [
    { said: 'safe', raters: ['safe', 'safe'] },
    { said: 'unsafe', raters: ['safe', 'unsafe', 'safe'] },
    { said: 'undecided', raters: ['safe', 'unsafe'] },
  ];
  expect(agreementWithRaters(items)).toBeCloseTo((1 + 1 / 3 + 0) / 3, 12);
  expect(agreementWithRaters([])).toBeNull();
});

test('the soft Brier score is the mean square of what a probability is off from the share of raters', () => {
  expect(
    softBrier([
      { probability: 0.5, share: 0.5 },
      { probability: 0.9, share: 2 / 3 },
    ]),
  ).toBeCloseTo((0.9 - 2 / 3) ** 2 / 2, 12);
  expect(softBrier([])).toBeNull();
});

const choose = (from: number, k: number): number => (k === 0 ? 1 : k > from ? 0 : (choose(from - 1, k - 1) * from) / k);

test('pass^k is the mean of C(right, k) / C(runs, k): 4, 2 and 0 of 4 repeats right', () => {
  const items = [4, 2, 0].map((right) => ({ right, runs: 4 }));
  expect([1, 2, 3, 4].map((k) => passK(items, k))).toEqual([
    1.5 / 3,
    expect.closeTo((1 + 1 / 6) / 3, 12),
    1 / 3,
    1 / 3,
  ]);
});

test('an item with fewer than k repeats says nothing about k', () => {
  expect(
    passK(
      [
        { right: 1, runs: 1 },
        { right: 1, runs: 2 },
      ],
      2,
    ),
  ).toBe(0);
  expect([passK([{ right: 1, runs: 1 }], 2), passK([], 1)]).toEqual([null, null]);
});

test('pass^k is what the binomials say, and falls with k from accuracy to the share of items that are always right', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.nat(8), { minLength: 1, maxLength: 20 }),
      (runs, rights) => {
        const items = rights.map((right) => ({ runs, right: Math.min(right, runs) }));
        const values = Array.from({ length: runs }, (_, index) => passK(items, index + 1)!);
        values.forEach((value, index) => {
          expect(value).toBeCloseTo(
            items.reduce((sum, { right }) => sum + choose(right, index + 1) / choose(runs, index + 1), 0) /
              items.length,
            9,
          );
          if (index > 0) expect(value).toBeLessThanOrEqual(values[index - 1]! + 1e-12);
        });
        expect(values.at(-1)).toBeCloseTo(items.filter(({ right }) => right === runs).length / items.length, 12);
      },
    ),
  );
});
