import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { screenItems, type ScreenedResult } from './screen-items.ts';
import { screenSummary } from './screen-summary.ts';

const classes = ['safe', 'unsafe'];

/** A row for each item: its label, then what each system said. */
function result(...rows: [string | null, ...string[]][]): ScreenedResult {
  const count = rows[0]!.length - 1;
  return {
    classes,
    items: rows.map(([gold], index) => ({ line: index + 1, id: `item-${index + 1}`, gold })),
    systems: Array.from({ length: count }, (_, system) => ({
      name: 'abcdefgh'[system]!,
      outcomes: rows.map((row) => ({ said: row[system + 1]!, score: null })),
    })),
  };
}

const screened = (row: [string | null, ...string[]], quorum = 1) => screenItems(result(row), { quorum })[0]!;

describe('an item is flagged', () => {
  test('when a model diverges from its label', () => {
    expect(screened(['safe', 'unsafe', 'unsafe', 'unsafe'])).toMatchObject({
      reasons: [{ why: 'against-label', systems: ['a', 'b', 'c'] }],
      majority: 'unsafe',
      difficulty: 1,
    });
  });

  test('when models differ among themselves, label or not', () => {
    expect(screened(['safe', 'safe', 'unsafe', 'safe', 'safe'])).toMatchObject({
      reasons: [{ why: 'against-label', systems: ['b'] }, { why: 'disagreement' }],
      difficulty: 0.25,
    });
    expect(screened([null, 'safe', 'unsafe', 'unsafe', 'unsafe'])).toMatchObject({
      reasons: [{ why: 'disagreement' }],
      majority: 'unsafe',
      difficulty: 0.25,
    });
  });

  test('when one is undecided or failed, for then nobody knows', () => {
    expect(screened(['safe', 'safe', 'undecided', 'failed', 'safe'])).toMatchObject({
      reasons: [
        { why: 'undecided', systems: ['b'] },
        { why: 'failed', systems: ['c'] },
      ],
      difficulty: 0.5,
    });
  });

  test('and not when all say its label, or all the same of one without', () => {
    expect(screened(['unsafe', 'unsafe', 'unsafe'])).toMatchObject({ reasons: [], difficulty: 0 });
    expect(screened([null, 'unsafe', 'unsafe'])).toMatchObject({ reasons: [], majority: 'unsafe', difficulty: 0 });
  });

  test('with a quorum, by so many systems at least', () => {
    expect(screened(['safe', 'unsafe', 'safe', 'safe'], 2).reasons).toEqual([]);
    expect(screened(['safe', 'unsafe', 'unsafe', 'safe'], 2).reasons).toEqual([
      { why: 'against-label', systems: ['a', 'b'] },
    ]);
    expect(screened([null, 'unsafe', 'unsafe', 'safe', 'safe'], 2)).toMatchObject({
      reasons: [{ why: 'disagreement' }],
      majority: null,
      difficulty: 0.5,
    });
    expect(screened(['safe', 'undecided', 'failed', 'safe'], 2).reasons).toEqual([]);
  });
});

test('what nobody decided has no majority, and could not be harder', () => {
  expect(screened([null, 'failed', 'undecided'])).toMatchObject({ majority: null, difficulty: 1 });
});

test('a system that is called as a property of every object is only a name', () => {
  const [item] = screenItems({
    classes,
    items: [{ line: 1, id: null, gold: 'safe' }],
    systems: [{ name: '__proto__', outcomes: [{ said: 'unsafe', score: 0.9 }] }],
  });
  expect(Object.entries(item!.systems)).toEqual([['__proto__', { label: 'unsafe', score: 0.9 }]]);
});

test('the summary: the share that is flagged, and who agrees with the label and with whom', () => {
  const given = result(
    ['safe', 'safe', 'safe', 'safe'],
    ['unsafe', 'unsafe', 'unsafe', 'undecided'],
    ['unsafe', 'safe', 'unsafe', 'unsafe'],
    [null, 'safe', 'safe', 'failed'],
  );
  const summary = screenSummary(screenItems(given), ['a', 'b', 'c'], classes);
  expect(summary).toMatchObject({
    items: 4,
    labelled: 3,
    flagged: 3,
    share: 0.75,
    reasons: { 'against-label': 1, disagreement: 1, undecided: 1, failed: 1 },
  });
  expect(summary.systems).toMatchObject([
    { name: 'a', withLabel: { items: 3, same: 2, share: 2 / 3 }, undecided: 0, failed: 0 },
    { name: 'b', withLabel: { items: 3, same: 3, share: 1, kappa: 1 } },
    // It decided two of three, both rightly: what it left open is none.
    { name: 'c', withLabel: { items: 3, same: 2, share: 2 / 3, kappa: 1 }, undecided: 1, failed: 1 },
  ]);
  // a and b: three of four alike, by chance (3·2 + 1·2)/16 = 1/2.
  expect(summary.pairs).toEqual([
    { first: 'a', second: 'b', items: 4, percent: 0.75, kappa: 0.5 },
    { first: 'a', second: 'c', items: 2, percent: 0.5, kappa: 0 },
    { first: 'b', second: 'c', items: 2, percent: 1, kappa: 1 },
  ]);
  expect(summary.agreement.percent).toBeCloseTo((1 + 1 + 1 / 3 + 1) / 4, 12);
});

test('laws: difficulty is a share; without a quorum, an item is flagged exactly when somebody does not say its label', () => {
  const said = fc.constantFrom('safe', 'unsafe', 'undecided', 'failed');
  fc.assert(
    fc.property(
      fc.constantFrom('safe', 'unsafe', null),
      fc.array(said, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 4 }),
      (gold, votes, quorum) => {
        const { difficulty, reasons } = screened([gold, ...votes]);
        expect(difficulty).toBeGreaterThanOrEqual(0);
        expect(difficulty).toBeLessThanOrEqual(1);
        expect(reasons.length > 0).toBe(difficulty > 0);
        // A higher quorum never flags more.
        expect(screened([gold, ...votes], quorum).reasons.length).toBeLessThanOrEqual(reasons.length);
      },
    ),
  );
});
