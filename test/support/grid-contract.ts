import { describe, expect, test } from 'vitest';
import type { GridItem, GridOptions, GridPage, ItemFilter, Ledger } from '@agonhq/ledger';
import { stageRun, wrong, type StagedItem } from './judged-run.ts';

const texts = ['A goat on the roof.', 'A Goat at the door.', 'Bread in the oven.', 'A kettle sings.', 'Ships at sea.'];

/** Five items: right, wrong, without a true label, failed, waiting; then the first content once more. */
const before: readonly StagedItem[] = [
  { text: texts[0], label: 'safe', expected: 'safe', risk: 0.2, usage: { costUsd: 0.03, latencyMs: 70 } },
  { text: texts[1], label: 'safe', expected: 'unsafe', risk: 0.4, usage: { costUsd: 0.01, latencyMs: 90 } },
  { text: texts[2], label: 'unsafe', risk: 0.9, escalate: true, usage: { costUsd: null, latencyMs: 20 } },
  { text: texts[3], error: wrong('timeout'), expected: 'safe' },
  { text: texts[4], key: 'harbour' },
  { text: texts[0], expected: 'unsafe' },
];
const after: readonly StagedItem[] = [
  { text: texts[2], label: 'unsafe', risk: 0.7 },
  { text: texts[1], label: 'unsafe', expected: 'unsafe', risk: 0.85 },
  { text: texts[0], label: 'unsafe', expected: 'safe', risk: 0.6 },
];

/** What every ledger answers about the items of a run as a grid. */
export function gridContract(current: () => Ledger): void {
  const others = ['run-after'];
  const stage = async () => {
    await stageRun(current(), 'run-before', before);
    await stageRun(current(), 'run-after', after);
  };
  const page = async (filter: ItemFilter = {}, options: Partial<GridOptions> = {}) =>
    (await current().runs.pageItems('run-before', filter, { limit: 50, after: null, others, ...options })).rows;
  const places = (rows: readonly GridItem[]) => rows.map(({ position }) => position);

  describe('the items of a run as a grid', () => {
    test('say how their content begins, and what another run said of the same content', async () => {
      await stage();
      const rows = await page();
      expect(rows.map(({ excerpt }) => excerpt)).toEqual([...texts, texts[0]]);
      expect(rows.map(({ others: [other] }) => other?.result?.label ?? null)).toEqual([
        'unsafe',
        'unsafe',
        'unsafe',
        null,
        null,
        'unsafe',
      ]);
      expect(rows[5]).toMatchObject({ state: 'same', sameAs: 1, result: { label: 'safe', risk: 0.2 } });
      const [first] = await current().runs.listItems('run-before', { order: 'input', limit: 1 });
      expect(rows[0]).toEqual({ ...first, excerpt: texts[0], others: [expect.anything()] });
    });

    test('are found by words, verdict, true label, outcome and what changed, and counted', async () => {
      await stage();
      const found = async (filter: ItemFilter) => {
        const rows = places(await page(filter));
        const first = await current().runs.pageItems('run-before', filter, {
          limit: 1,
          after: null,
          others,
          count: true,
        });
        expect(first.total).toBe(rows.length);
        return rows;
      };
      expect(await found({})).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await found({ search: ' goat ' })).toEqual([1, 2, 6]);
      expect(await found({ search: 'GOAT door' })).toEqual([2]);
      expect(await found({ search: 'kettle' }), 'what failed').toEqual([4]);
      expect(await found({ search: 'ships' }), 'what waits').toEqual([5]);
      expect(await found({ search: 'harbour' }), 'by its key').toEqual([5]);
      expect(await found({ search: '%' })).toEqual([]);
      expect(await found({ label: 'safe' })).toEqual([1, 2, 6]);
      expect(await found({ expected: 'unsafe' })).toEqual([2, 6]);
      expect(await found({ outcome: 'right' })).toEqual([1]);
      expect(await found({ outcome: 'wrong' })).toEqual([2, 6]);
      expect(await found({ escalated: true })).toEqual([3]);
      expect(await found({ state: 'failed' })).toEqual([4]);
      expect(await found({ changed: 'flipped' })).toEqual([1, 2, 6]);
      expect(await found({ changed: 'corrected' })).toEqual([2, 6]);
      expect(await found({ changed: 'broken' })).toEqual([1]);
      expect(await found({ changed: 'flipped', label: 'unsafe' })).toEqual([]);
      expect(places(await page({ changed: 'flipped' }, { others: [] }))).toEqual([]);
    });

    test('come in any order and in pages of any length, what has no value last', async () => {
      await stage();
      const expected: [Partial<GridOptions>, number[]][] = [
        [{ by: 'position', descending: true }, [6, 5, 4, 3, 2, 1]],
        [{ by: 'risk' }, [1, 6, 2, 3, 4, 5]],
        [{ by: 'risk', descending: true }, [3, 2, 1, 6, 4, 5]],
        [{ by: 'cost' }, [2, 1, 6, 3, 4, 5]],
        [{ by: 'latency', descending: true }, [2, 1, 6, 3, 4, 5]],
        [{ by: 'label' }, [1, 2, 6, 3, 4, 5]],
        [{ by: 'key' }, [5, 1, 2, 3, 4, 6]],
        [{ by: 'change', descending: true }, [2, 1, 6, 3, 4, 5]],
      ];
      for (const [order, all] of expected)
        for (const limit of [1, 2, 4, 6]) {
          const seen: number[] = [];
          for (let after: string | null = null; ;) {
            const next: GridPage = await current().runs.pageItems('run-before', {}, { ...order, others, limit, after });
            seen.push(...places(next.rows));
            if (next.next === null) break;
            after = next.next;
          }
          expect(seen, `${JSON.stringify(order)} by ${limit}`).toEqual(all);
        }
      await expect(page({}, { after: 'nonsense' })).rejects.toMatchObject({ code: 'bad-page' });
      const text = Buffer.from('["x","y"]').toString('base64url');
      await expect(page({}, { after: text, by: 'risk' })).rejects.toMatchObject({ code: 'bad-page' });
    });

    test('say nothing of what was forgotten, nor are they found by it', async () => {
      await stage();
      const [, second] = await page();
      await current().cases.forgetSubject((await current().cases.findCase(second!.result!.case))!.subject);
      expect((await page())[1]).toMatchObject({ excerpt: null, result: { label: 'safe' } });
      expect(places(await page({ search: 'door' }))).toEqual([]);
    });
  });
}
