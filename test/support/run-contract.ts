import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ledger, RunItem } from '@agonhq/ledger';
import { brokenLine, itemAt, resultAt, startRun, takeFrom } from './run-items.ts';

/** What every ledger does with runs, their items and what they may spend. */
export function runContract(current: () => Ledger): void {
  const items = (options: Partial<Parameters<Ledger['runs']['listItems']>[1]> = {}) =>
    current().runs.listItems('run-1', { order: 'input', limit: 1_000, ...options });

  describe('runs', () => {
    const run = {
      id: 'run-1',
      name: 'nightly',
      job: 'moderation',
      configuration: 'c',
      settings: { rounds: 2 },
      input: 'items.jsonl',
    };

    test('a run starts, ends and is listed, and starts again where it was stopped', async () => {
      const { runs } = current();
      const started = await runs.startRun(run);
      expect(started).toMatchObject({ ...run, state: 'running', endedAt: null, problem: null, total: null });
      await runs.endRun('run-1', 'stopped', 'The budget\0 is spent.');
      expect(await runs.findRun('run-1')).toMatchObject({
        state: 'stopped',
        endedAt: expect.any(Date) as Date,
        problem: 'The budget� is spent.',
      });
      expect(await runs.startRun(run)).toEqual(started);
      await runs.startRun({ ...run, id: 'run-2', name: null, input: null });
      expect((await runs.listRuns()).map(({ id }) => id)).toEqual(['run-2', 'run-1']);
      expect(await runs.findRun('run-3')).toBeUndefined();
    });

    test('are found by the beginning of their id and by their name, the newest first', async () => {
      const { runs } = current();
      for (const [id, name] of [
        ['run-a1', 'nightly'],
        ['run-a2', null],
        ['run-b1', 'run-a'],
      ] as const)
        await runs.startRun({ ...run, id, name });
      const named = async (words: string) => (await runs.findRunsNamed(words)).map(({ id }) => id);
      expect(await named('run-a')).toEqual(['run-b1', 'run-a2', 'run-a1']);
      expect(await named('nightly')).toEqual(['run-a1']);
      expect(await named('night')).toEqual([]);
      expect(await named('run_a')).toEqual([]);
      await runs.endRun('run-a2', 'failed');
      expect((await runs.listRuns({ states: ['failed', 'stopped'] })).map(({ id }) => id)).toEqual(['run-a2']);
      expect((await runs.listRuns({ states: ['running'], limit: 1 })).map(({ id }) => id)).toEqual(['run-b1']);
      const first = await runs.pageRuns({}, { limit: 2, after: null });
      const second = await runs.pageRuns({}, { limit: 2, after: first.next });
      expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual((await runs.listRuns()).map(({ id }) => id));
      expect((await runs.pageRuns({ state: 'running', job: 'documents' }, { limit: 5, after: null })).rows).toEqual([]);
      await expect(runs.pageRuns({}, { limit: 2, after: 'nonsense' })).rejects.toMatchObject({ code: 'bad-page' });
    });

    test('can be given another plan and a total, and go on', async () => {
      const { runs } = current();
      await runs.startRun(run);
      await runs.changePlan('run-1', { rounds: 3 });
      await runs.markLoaded('run-1', 12);
      await runs.endRun('run-1', 'failed', 'A wrong key.');
      await runs.reopenRun('run-1');
      expect(await runs.findRun('run-1')).toMatchObject({
        settings: { rounds: 3 },
        total: 12,
        state: 'running',
        problem: null,
        endedAt: null,
      });
      await expect(runs.reopenRun('run-9')).rejects.toMatchObject({ code: 'unknown-run' });
    });
  });

  describe('items of a run', () => {
    test('are put in once, as they are, and listed by position', async () => {
      const ledger = current();
      await startRun(ledger);
      const report = await ledger.runs.putItems('run-1', [
        itemAt(1, { expected: 'unsafe' }),
        itemAt(2, { input: null, error: brokenLine }),
        itemAt(5, { input: { text: '\0 \ud800 é' } }),
      ]);
      expect(report).toEqual({ inserted: 3, same: 0, changed: [] });
      expect(await items()).toEqual([
        {
          run: 'run-1',
          position: 1,
          key: 'key-1',
          hash: 'hash-1',
          expected: 'unsafe',
          state: 'waiting',
          sameAs: null,
          attempts: 0,
          worker: null,
          result: null,
          error: null,
          endedAt: null,
        },
        {
          run: 'run-1',
          position: 2,
          key: 'key-2',
          hash: 'hash-2',
          expected: null,
          state: 'failed',
          sameAs: null,
          attempts: 0,
          worker: null,
          result: null,
          error: brokenLine,
          endedAt: expect.any(Date) as Date,
        },
        expect.objectContaining({ position: 5, state: 'waiting' }) as RunItem,
      ]);
      expect((await takeFrom(ledger, 'run-1', 9)).map(({ item }) => item.input)).toEqual([
        { text: 'Number 1' },
        { text: '\0 \ud800 é' },
      ]);
      await expect(ledger.runs.putItems('run-9', [itemAt(1)])).rejects.toMatchObject({ code: 'unknown-run' });
      expect(await ledger.runs.putItems('run-1', [])).toEqual({ inserted: 0, same: 0, changed: [] });
    });

    test('that are there stay; a position with another content is reported', async () => {
      const ledger = current();
      await startRun(ledger, 'run-1', [itemAt(1), itemAt(2), itemAt(3, { input: null, error: brokenLine })]);
      const before = await items();
      expect(
        await ledger.runs.putItems('run-1', [
          itemAt(1, { key: 'other' }),
          itemAt(2, { hash: 'other' }),
          itemAt(3, { input: null, error: brokenLine, hash: 'another' }),
          itemAt(4),
        ]),
      ).toEqual({ inserted: 1, same: 0, changed: [2, 3] });
      expect((await items()).slice(0, 3)).toEqual(before);
    });

    test('with the same content are judged once, and have its result; broken lines are each their own', async () => {
      const ledger = current();
      await startRun(ledger);
      expect(
        await ledger.runs.putItems('run-1', [
          itemAt(1),
          itemAt(2, { hash: 'hash-1', expected: 'safe' }),
          itemAt(3, { hash: 'x', input: null, error: brokenLine }),
          itemAt(4, { hash: 'x', input: null, error: brokenLine }),
        ]),
      ).toEqual({ inserted: 4, same: 1, changed: [] });
      expect(await ledger.runs.putItems('run-1', [itemAt(5, { hash: 'hash-1' }), itemAt(6, { hash: 'x' })])).toEqual({
        inserted: 2,
        same: 1,
        changed: [],
      });
      expect((await items()).map(({ state, sameAs }) => [state, sameAs])).toEqual([
        ['waiting', null],
        ['same', 1],
        ['failed', null],
        ['failed', null],
        ['same', 1],
        ['waiting', null],
      ]);
      expect((await items({ states: ['same'] }))[0]).toMatchObject({ result: null, endedAt: null });
      const [taken, ...more] = await takeFrom(ledger, 'run-1', 9);
      expect(more.map(({ item }) => item.position)).toEqual([6]);
      await taken!.queue.finishItem(taken!.item, resultAt('case-1'));
      await ledger.runs.putItems('run-1', [itemAt(7, { hash: 'hash-1' })]);
      for (const same of await items({ states: ['same'] }))
        expect(same).toMatchObject({
          state: 'same',
          sameAs: 1,
          result: resultAt('case-1'),
          endedAt: expect.any(Date) as Date,
        });
      expect(await ledger.runs.findItemsByHash('run-1', ['hash-1', 'x', 'nothing'])).toEqual(
        new Map((await items()).filter(({ position }) => [1, 6].includes(position)).map((item) => [item.hash, item])),
      );
    });

    test('whose key comes again get their position behind it', async () => {
      const ledger = current();
      await startRun(ledger, 'run-1', [itemAt(1, { key: 'a' }), itemAt(2, { key: 'a' }), itemAt(3, { key: 'a#2' })]);
      await ledger.runs.putItems('run-1', [itemAt(4, { key: 'a' }), itemAt(5, { key: 'b\0' })]);
      const keys = (await items()).map(({ key }) => key);
      expect(keys.slice(0, 1)).toEqual(['a']);
      expect(keys.slice(3)).toEqual(['a#4', 'b�']);
      expect(new Set(keys).size).toBe(5);
      expect(await ledger.runs.findItemsByKey('run-1', ['a#4', 'nobody'])).toEqual(
        new Map([['a#4', (await items())[3]]]),
      );
    });

    test('that several put in at once are there once, and each content is judged once', async () => {
      const ledger = current();
      await startRun(ledger);
      const all = Array.from({ length: 60 }, (_, index) =>
        itemAt(index + 1, { hash: `hash-${index % 20}`, key: `key-${index % 30}` }),
      );
      const reports = await Promise.all(
        [0, 1, 2, 3].flatMap((start) =>
          [0, 20, 40].map((from) =>
            ledger.runs.putItems('run-1', [...all.slice(from + start), ...all.slice(0, start)]),
          ),
        ),
      );
      expect(reports.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(60);
      expect(reports.flatMap(({ changed }) => changed)).toEqual([]);
      const listed = await items();
      expect(listed.map(({ position }) => position)).toEqual(all.map(({ position }) => position));
      const judged = new Map(
        listed.filter(({ state }) => state === 'waiting').map(({ hash, position }) => [hash, position]),
      );
      expect(judged.size).toBe(20);
      expect(
        listed.filter(({ state }) => state === 'same').every(({ hash, sameAs }) => judged.get(hash) === sameAs),
      ).toBe(true);
    });

    test('however they are cut into batches, the same items are there', async () => {
      const ledger = current();
      let runs = 0;
      const someItems = fc.array(fc.record({ hash: fc.constantFrom('a', 'b', 'c', 'd'), broken: fc.boolean() }), {
        minLength: 1,
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(someItems, fc.integer({ min: 1, max: 12 }), async (drawn, size) => {
          const id = await startRun(ledger, `run-${(runs += 1)}`);
          const all = drawn.map(({ hash, broken }, index) =>
            itemAt(index + 1, { hash, ...(broken ? { input: null, error: brokenLine } : {}) }),
          );
          const batches = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
            all.slice(index * size, (index + 1) * size),
          );
          for (const batch of [...batches, ...batches]) await ledger.runs.putItems(id, batch);
          const counts = await ledger.runs.countItems(id);
          const contents = new Set(drawn.filter(({ broken }) => !broken).map(({ hash }) => hash));
          expect(counts).toMatchObject({ waiting: contents.size, failed: drawn.filter(({ broken }) => broken).length });
          expect(counts.same).toBe(drawn.length - counts.waiting - counts.failed);
        }),
        { numRuns: 15 },
      );
    }, 60_000);

    test('are counted by state, label, tier and failure, with what they cost', async () => {
      const ledger = current();
      await startRun(ledger, 'run-1', [
        itemAt(1, { expected: 'safe' }),
        itemAt(2, { expected: 'safe' }),
        itemAt(3, { expected: 'unsafe' }),
        itemAt(4),
        itemAt(5),
        itemAt(6),
        itemAt(7, { hash: 'hash-1' }),
        itemAt(8, { input: null, error: brokenLine }),
      ]);
      const before = Date.now();
      const [one, two, three, four] = await takeFrom(ledger, 'run-1', 5);
      await one!.queue.finishItem(one!.item, resultAt('case-1'));
      await two!.queue.finishItem(two!.item, resultAt('case-2', { label: 'unsafe', escalate: true }));
      await three!.queue.finishItem(three!.item, resultAt('case-3', { label: 'unsafe', by: 'guard' }));
      await four!.queue.failItem(
        four!.item,
        { code: 'text-too-long', message: 'Too long.', hint: 'Cut it.' },
        { retry: false },
      );
      const counts = await ledger.runs.countItems('run-1');
      expect(counts).toEqual({
        waiting: 1,
        running: 1,
        done: 3,
        failed: 2,
        same: 1,
        byLabel: { safe: 1, unsafe: 2 },
        byGuard: 1,
        escalated: 1,
        failuresByCode: { 'broken-line': 1, 'text-too-long': 1 },
        usage: { calls: 9, inputTokens: 300, outputTokens: 60, cachedTokens: 15, costUsd: 0.75, latencyMs: 37.5 },
        expected: { right: 1, wrong: 1, guardRight: 1, guardWrong: 0 },
        lastEndedAt: expect.any(Date) as Date,
        endedLastMinute: 5,
      });
      expect(counts.lastEndedAt!.getTime()).toBeGreaterThanOrEqual(before);
      const [five] = await takeFrom(ledger, 'run-1', 1);
      await five!.queue.finishItem(five!.item, resultAt('case-6', { usage: { ...resultAt('').usage, costUsd: null } }));
      expect(
        (await ledger.runs.countItems('run-1')).usage.costUsd,
        'a price that is not known makes no zero',
      ).toBeNull();
      expect(await ledger.runs.countItems('nothing')).toMatchObject({
        done: 0,
        usage: { costUsd: 0 },
        lastEndedAt: null,
      });
    });

    test('come in pages of any length, in the order of the input or as they ended', async () => {
      const ledger = current();
      await startRun(ledger, 'run-1', [
        ...Array.from({ length: 7 }, (_, index) => itemAt(index + 1)),
        itemAt(8, { hash: 'hash-7' }),
      ]);
      const taken = await takeFrom(ledger, 'run-1', 7);
      for (const { queue, item } of [6, 2, 4, 0].map((index) => taken[index]!))
        await queue.finishItem(item, resultAt(`case-${item.position}`));
      const paged = async (order: 'input' | 'as-done', limit: number) => {
        const positions: number[] = [];
        for (
          let page = await items({ order, limit });
          page.length > 0;
          page = await items({ order, limit, after: page.at(-1)! })
        ) {
          expect(page.length).toBeLessThanOrEqual(limit);
          positions.push(...page.map(({ position }) => position));
        }
        return positions;
      };
      for (const limit of [1, 2, 3, 8, 9]) {
        expect(await paged('input', limit)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
        expect((await paged('as-done', limit)).toSorted((a, b) => a - b)).toEqual([1, 3, 5, 7, 8]);
      }
      const ended = (await items({ order: 'as-done' })).map(({ endedAt }) => endedAt!.getTime());
      expect(ended).toEqual(ended.toSorted((a, b) => a - b));
      expect((await items({ states: ['done'] })).map(({ position }) => position)).toEqual([1, 3, 5, 7]);
    });

    test('that failed wait again when asked, those whose line was broken excepted', async () => {
      const ledger = current();
      await startRun(ledger, 'run-1', [
        itemAt(1),
        itemAt(2),
        itemAt(3, { hash: 'hash-1' }),
        itemAt(4, { input: null, error: brokenLine }),
      ]);
      const taken = await takeFrom(ledger, 'run-1', 9);
      for (const { queue, item } of taken)
        await queue.failItem(item, { code: 'no-answer', message: 'None.', hint: 'Wait.' }, { retry: false });
      expect(await takeFrom(ledger, 'run-1', 9)).toEqual([]);
      expect((await items())[2]).toMatchObject({ error: { code: 'no-answer' }, endedAt: expect.any(Date) as Date });
      expect(await ledger.runs.retryFailedItems('run-1')).toBe(2);
      expect((await items()).map(({ state, endedAt }) => [state, endedAt !== null])).toEqual([
        ['waiting', false],
        ['waiting', false],
        ['same', false],
        ['failed', true],
      ]);
      expect(
        (await takeFrom(ledger, 'run-1', 9)).map(({ item }) => [item.position, item.attempts, item.input]),
      ).toEqual([
        [1, 0, { text: 'Number 1' }],
        [2, 0, { text: 'Number 2' }],
      ]);
      expect(await ledger.runs.retryFailedItems('run-1')).toBe(0);
    });

    test('of a cancelled run leave the queue until it is reopened; who works on it does not undo that', async () => {
      const ledger = current();
      await startRun(ledger, 'run-1', [itemAt(1), itemAt(2), itemAt(3)]);
      const [taken] = await takeFrom(ledger, 'run-1', 1);
      expect(await ledger.runs.cancelRun('run-1')).toBe(2);
      await ledger.runs.putItems('run-1', [itemAt(4)]);
      expect(await takeFrom(ledger, 'run-1', 9)).toEqual([]);
      expect(await taken!.queue.finishItem(taken!.item, resultAt('case-1'))).toBe(true);
      await ledger.runs.endRun('run-1', 'stopped');
      expect(await ledger.runs.findRun('run-1')).toMatchObject({ state: 'cancelled' });
      await ledger.runs.reopenRun('run-1');
      await ledger.runs.reopenRun('run-1');
      expect((await takeFrom(ledger, 'run-1', 9)).map(({ item }) => item.position)).toEqual([2, 3, 4]);
      expect(await takeFrom(ledger, 'run-1', 9)).toEqual([]);
    });
  });

  describe('what a run may spend', () => {
    test('is set aside before a call, once for each, and corrected by what it cost', async () => {
      const { runs } = current();
      await startRun(current());
      expect(await runs.readCommitted('run-1')).toEqual({ tokens: 0, usd: 0 });
      const allowance = { tokens: 1_000, usd: 1 };
      expect(await runs.reserveCall('run-1', 'call-1', { tokens: 600, usd: 0.5 }, allowance)).toBe(true);
      expect(await runs.reserveCall('run-1', 'call-1', { tokens: 600, usd: 0.5 }, allowance)).toBe(true);
      expect(await runs.readCommitted('run-1')).toEqual({ tokens: 600, usd: 0.5 });
      expect(await runs.reserveCall('run-1', 'call-2', { tokens: 600, usd: 0.25 }, allowance), 'too many tokens').toBe(
        false,
      );
      expect(await runs.reserveCall('run-1', 'call-2', { tokens: 10, usd: 0.75 }, allowance), 'too dear').toBe(false);
      await runs.settleCall('run-1', 'call-1', { tokens: 100, usd: 0.125 });
      await runs.settleCall('run-1', 'call-1', { tokens: 900, usd: 9 });
      expect(await runs.readCommitted('run-1')).toEqual({ tokens: 100, usd: 0.125 });
      expect(await runs.reserveCall('run-1', 'call-2', { tokens: 900, usd: 0.875 }, allowance)).toBe(true);
      expect(await runs.reserveCall('run-1', 'call-3', { tokens: 1, usd: 0 }, allowance)).toBe(false);
      expect(
        await runs.reserveCall('run-1', 'call-3', { tokens: 1, usd: 0 }, { tokens: 2_000 }),
        'a larger budget',
      ).toBe(true);
    });

    test('in USD does not cover a call whose price nobody knows; without such a limit it may be made', async () => {
      const { runs } = current();
      await startRun(current());
      expect(await runs.reserveCall('run-1', 'call-1', { tokens: 5, usd: null }, { usd: 1_000 })).toBe(false);
      expect(await runs.reserveCall('run-1', 'call-1', { tokens: 5, usd: null }, { tokens: 5 })).toBe(true);
      await runs.settleCall('run-1', 'call-1', { tokens: 4, usd: null });
      await runs.settleCall('run-1', 'never set aside', { tokens: 3, usd: 0.5 });
      expect(await runs.readCommitted('run-1')).toEqual({ tokens: 7, usd: 0.5 });
    });

    test('is spent to the cent, although sums of prices are not exact', async () => {
      const { runs } = current();
      await startRun(current());
      for (let call = 0; call < 10; call += 1)
        expect(await runs.reserveCall('run-1', `call-${call}`, { tokens: 1, usd: 0.1 }, { usd: 1 })).toBe(true);
      expect(await runs.reserveCall('run-1', 'call-10', { tokens: 1, usd: 0.000001 }, { usd: 1 })).toBe(false);
    });

    test('is never exceeded, however many ask at once', async () => {
      const ledger = current();
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 50, maxLength: 50 }),
          fc.integer({ min: 1, max: 600 }),
          async (prices, tokens) => {
            const id = await startRun(ledger, `run-${(runs += 1)}`);
            const allowance = { tokens, usd: tokens / 1_000 };
            const granted = await Promise.all(
              prices.map((price, call) =>
                ledger.runs.reserveCall(id, `${id}/${call}`, { tokens: price, usd: price / 1_000 }, allowance),
              ),
            );
            const spent = prices.filter((_, call) => granted[call]).reduce((sum, price) => sum + price, 0);
            expect(spent).toBeLessThanOrEqual(tokens);
            expect((await ledger.runs.readCommitted(id)).tokens).toBe(spent);
            const refused = prices.filter((_, call) => !granted[call]);
            expect(refused.every((price) => price > 0 && spent + Math.max(...refused) > tokens)).toBe(true);
            await Promise.all(
              prices.map(
                async (price, call) =>
                  granted[call] && ledger.runs.settleCall(id, `${id}/${call}`, { tokens: price - 1, usd: 0 }),
              ),
            );
            expect((await ledger.runs.readCommitted(id)).tokens).toBe(spent - granted.filter(Boolean).length);
          },
        ),
        { numRuns: 5 },
      );
    }, 60_000);
  });

  test('attachments are kept by hash for whoever judges the item', async () => {
    const { attachments } = current();
    const image = { hash: 'sha256:1', mediaType: 'image/png', data: Uint8Array.from([0, 255, 3]) };
    await attachments.keepAttachment(image);
    await attachments.keepAttachment(image);
    expect(await attachments.findAttachment('sha256:1')).toEqual(image);
    expect(await attachments.findAttachment('sha256:2')).toBeUndefined();
  });
}
