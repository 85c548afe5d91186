import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveVotes, type VotedItem } from './resolve-votes.ts';
import type { Vote } from './votes.ts';

/** Items by what each of the raters said: u, s, or - for no vote. */
function voted(
  rows: Record<string, string>,
  { gold = {}, atLeast }: { gold?: Record<string, string>; atLeast?: number } = {},
) {
  const raters = ['Ada', 'Ben', 'Cyd', 'Dee'].slice(0, Math.max(...Object.values(rows).map(({ length }) => length)));
  const items = Object.keys(rows).map((id, index): VotedItem => ({ id, line: index + 1, gold: gold[id] ?? null }));
  const votesOf = (id: string) =>
    raters.flatMap((rater, index): Vote[] =>
      rows[id]![index] === '-' || rows[id]![index] === undefined
        ? []
        : [
            {
              id,
              rater,
              label: rows[id]![index] === 'u' ? 'unsafe' : 'safe',
              reason: null,
              file: 'votes.jsonl',
              line: 1,
            },
          ],
    );
  return resolveVotes(items, new Map(Object.keys(rows).map((id) => [id, votesOf(id)])), {
    raters,
    atLeast: atLeast ?? raters.length,
  });
}

describe('votes', () => {
  test('decide by majority, each item with what everybody said', () => {
    const { decisions, report } = voted({ a: 'uus', b: 'sss' });
    expect(
      decisions.map(({ id, label, agreement, votes }) => [id, label, agreement, votes.map((vote) => vote.label)]),
    ).toEqual([
      ['a', 'unsafe', 2 / 3, ['unsafe', 'unsafe', 'safe']],
      ['b', 'safe', 1, ['safe', 'safe', 'safe']],
    ]);
    expect(report).toMatchObject({ items: 2, decided: 2, unanimous: 1, labels: { safe: 1, unsafe: 1 }, open: [] });
  });

  test('leave a tie open, and what somebody has not voted on', () => {
    const { decisions, report } = voted({ tie: 'us', half: 'u-', none: '--', done: 'uu' });
    expect(decisions.map(({ id }) => id)).toEqual(['done']);
    expect(report.open).toMatchObject([
      { id: 'tie', why: 'tie', votes: { Ada: 'unsafe', Ben: 'safe' }, missing: [] },
      { id: 'half', why: 'missing-votes', missing: ['Ben'] },
      { id: 'none', why: 'missing-votes', votes: {}, missing: ['Ada', 'Ben'] },
    ]);
  });

  test('need not be complete where fewer are enough', () => {
    const { decisions, report } = voted({ a: 'uu-', b: 'u--' }, { atLeast: 2 });
    expect([decisions.map(({ id }) => id), report.open.map(({ id }) => id)]).toEqual([['a'], ['b']]);
  });

  test('change labels, which are counted against those that came with the data', () => {
    const { report } = voted({ a: 'uu', b: 'ss', c: 'uu', d: 'us' }, { gold: { a: 'safe', b: 'safe', d: 'safe' } });
    expect(report.changed).toEqual({ labelled: 2, items: [{ id: 'a', line: 1, from: 'safe', to: 'unsafe' }] });
  });
});

describe('agreement', () => {
  test("of two people has Cohen's kappa: 3 of 4 alike where chance gives half is one half", () => {
    const { agreement } = voted({ a: 'uu', b: 'uu', c: 'ss', d: 'us' }).report;
    expect(agreement).toMatchObject({ items: 4, raters: 2, percent: 0.75, cohen: 0.5 });
    // Krippendorff, by hand: 8 values, 5 u and 3 s; observed 1/4, expected 2·5·3/(8·7).
    expect(agreement.krippendorff).toBeCloseTo(1 - 1 / 4 / (30 / 56), 12);
  });

  test('of three is over pairs, and has no Cohen', () => {
    expect(voted({ a: 'uuu', b: 'uus' }).report.agreement).toMatchObject({
      items: 2,
      raters: 3,
      percent: (1 + 1 / 3) / 2,
      cohen: null,
    });
  });

  test('is unknown where nobody voted on the same item', () => {
    expect(voted({ a: 'u-', b: '-s' }).report.agreement).toEqual({
      items: 0,
      raters: 2,
      percent: null,
      cohen: null,
      krippendorff: null,
    });
  });

  test('of a rater is how often they were with the majority', () => {
    expect(voted({ a: 'uus', b: 'uss', c: 'uuu' }).report.raters).toEqual([
      { name: 'Ada', votes: 3, withMajority: 2 / 3 },
      { name: 'Ben', votes: 3, withMajority: 1 },
      { name: 'Cyd', votes: 3, withMajority: 2 / 3 },
    ]);
  });
});

test('law: every item is decided or open, and three full votes always decide', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(...Array<fc.Arbitrary<string>>(3).fill(fc.constantFrom('u', 's', '-'))), {
        minLength: 1,
        maxLength: 10,
      }),
      (rows) => {
        const { decisions, report } = voted(Object.fromEntries(rows.map((row, index) => [`i${index}`, row.join('')])));
        expect(decisions.length + report.open.length).toBe(rows.length);
        expect(report.open.every(({ missing }) => missing.length > 0)).toBe(true);
      },
    ),
  );
});
