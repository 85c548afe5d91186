import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeUpResult } from '@agonhq/test/support/made-up-result.ts';
import { chooseItems, shares, chosenSystem, itemViews } from './choose-items.ts';

describe('what a page shows of single items', () => {
  test(
    'shares give away all there is, never more than is wanted, and nobody gets more while another is short of ' +
      'as much',
    () => {
      fc.assert(
        fc.property(fc.nat(500), fc.array(fc.nat(200), { maxLength: 8 }), (total, wants) => {
          const given = shares(total, wants);
          const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
          expect(sum(given)).toBe(Math.min(total, sum(wants)));
          given.forEach((share, place) => expect(share).toBeLessThanOrEqual(wants[place]!));
          const short = given.filter((share, place) => share < wants[place]!);
          if (short.length > 0) expect(Math.max(...given)).toBeLessThanOrEqual(Math.min(...short) + 1);
        }),
      );
    },
  );

  test('items that the debate changed come first, then its mistakes', () => {
    const result = makeUpResult({ items: 80 });
    const changed = itemViews(result).filter((view) => view.changed).length;
    const [chosen] = chooseItems([result], { items: 30, transcripts: 10 });
    expect(changed).toBeGreaterThan(2);
    expect(chosen!.views.slice(0, changed).every((view) => view.changed)).toBe(true);
    expect(chosen!.views).toHaveLength(30);
    expect(chosen!.withTranscript.size).toBe(10);
    expect(chosen!.leftOut.items).toBe(50);
  });

  test('a small set leaves its room to a large one', () => {
    const [small, large] = chooseItems([makeUpResult({ items: 5 }), makeUpResult({ items: 60 })], {
      items: 50,
      transcripts: 50,
    });
    expect([small!.views.length, large!.views.length]).toEqual([5, 45]);
  });

  test('the transcripts are those of the first debate that has any', () => {
    const result = makeUpResult({
      items: 5,
      systems: [
        { name: 'guard', kind: 'baseline', skill: 1 },
        { name: 'debate', kind: 'debate', skill: 1, rounds: 2 },
      ],
    });
    expect(chosenSystem(result)?.name).toBe('debate');
  });

  test('undecided and failed items are wrong and unsettled, but contradict nobody', () => {
    const result = makeUpResult({
      items: 3,
      systems: [
        { name: 'one', kind: 'baseline', skill: 9 },
        { name: 'open', kind: 'baseline', skill: 9, undecided: 1 },
        { name: 'broken', kind: 'baseline', skill: 9, failed: 1 },
      ],
    });
    expect(itemViews(result).map(({ wrong, unsettled, split }) => ({ wrong, unsettled, split }))).toEqual(
      Array.from({ length: 3 }, () => ({ wrong: [1, 2], unsettled: [1, 2], split: false })),
    );
  });
});
