import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shortText } from '@agonhq/lab/bench/embedded-texts.ts';
import type { ItemQueue, Ledger, QueueOptions } from '@agonhq/ledger';
import { judgeByGuard } from './guard-cases.ts';
import { itemAt, resultAt, startRun } from './run-items.ts';
import { inThreeDays } from './wrong-clock.ts';

export interface QueueMaker {
  /** Ledgers on one new database, each with connections of its own, as two processes have them. */
  make(): Promise<readonly [Ledger, Ledger]>;
}

/**
 * What the queue of items does, whatever it is kept in. `heartbeatMs` is short here, so that the dead are missed
 * soon.
 */
export function queueContract(maker: QueueMaker): void {
  const heartbeatMs = 1_000;
  let ledger: Ledger;
  let other: Ledger;
  const queues: ItemQueue[] = [];
  let machines = 0;
  /** A worker on a machine of its own. */
  const queueOf = async (of: Ledger, options: Partial<QueueOptions> = {}) => {
    const worker = `machine-${(machines += 1)}:${process.pid}:worker`;
    const queue = await of.openQueue({ worker, heartbeatMs, retryDelayMs: 200, ...options });
    queues.push(queue);
    return queue;
  };
  /** A process that takes what it may have, at most `count` in hand, finishes some of it, and is killed. */
  const dieWith = async (count: number, { finishing = 0 } = {}) => {
    const queue = await queueOf(other, { heartbeatMs: 0 });
    const taken = [...(await queue.takeItems('run-1', count))];
    for (const item of taken.splice(0, finishing)) await queue.finishItem(item, resultAt(`case-${item.position}`));
    taken.push(...(await queue.takeItems('run-1', count - taken.length)));
    await (await queueOf(ledger, { heartbeatMs: 0 })).reclaimItems();
    return numbers(taken);
  };
  const finishAll = async (queue: ItemQueue) => {
    for (let items = await queue.takeItems('run-1', 4); items.length > 0; items = await queue.takeItems('run-1', 4))
      for (const item of items) expect(await queue.finishItem(item, resultAt(`case-${item.position}`))).toBe(true);
  };
  const stateOf = async (position: number) =>
    (await ledger.runs.listItems('run-1', { order: 'input', limit: 100 })).find((item) => item.position === position)!;
  const noAnswer = { code: 'no-answer', message: 'There was none.', hint: 'Wait.' };
  const numbers = (taken: readonly { position: number }[]) => taken.map(({ position }) => position);
  /** Waits for what the next reclaim does: the dead are missed after a heartbeat. */
  const takenAgain = async (queue: ItemQueue, count: number) => {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await pause(100)) {
      await queue.reclaimItems();
      const taken = await queue.takeItems('run-1', count);
      if (taken.length > 0) return taken;
    }
    return [];
  };

  beforeEach(async () => {
    [ledger, other] = await maker.make();
    await startRun(
      ledger,
      'run-1',
      [1, 2, 3, 4, 5].map((position) => itemAt(position, { expected: 'safe' })),
    );
  }, 60_000);
  afterEach(async () => {
    for (const queue of queues.splice(0)) await queue.close();
    await ledger.close();
    await other.close();
  }, 60_000);

  test('gives items of a run, the oldest first, with what is to be judged', async () => {
    const queue = await queueOf(ledger);
    expect(await queue.takeItems('run-1', 2)).toMatchObject([
      {
        run: 'run-1',
        position: 1,
        key: 'key-1',
        hash: 'hash-1',
        input: { text: 'Number 1' },
        expected: 'safe',
        attempts: 0,
      },
      { position: 2 },
    ]);
    expect(await stateOf(1)).toMatchObject({
      state: 'running',
      worker: expect.stringContaining(`:${process.pid}:`) as string,
    });
    await startRun(ledger, 'run-2', [itemAt(9)]);
    expect(numbers(await queue.takeItems('run-1', 9))).toEqual([3, 4, 5]);
    expect(await queue.takeItems('run-1', 9)).toEqual([]);
    expect(numbers(await queue.takeItems('run-2', 9))).toEqual([9]);
    expect(await queue.takeItems('run-3', 1)).toEqual([]);
    expect(await queue.takeItems('run-1', 0)).toEqual([]);
  });

  test('each item is in the hands of one worker, however many take at once', async () => {
    await ledger.runs.putItems(
      'run-1',
      Array.from({ length: 95 }, (_, index) => itemAt(index + 6)),
    );
    const workers = await Promise.all([ledger, other, ledger, other].map((of) => queueOf(of)));
    const taken: number[] = [];
    await Promise.all(
      workers.map(async (queue) => {
        for (
          let items = await queue.takeItems('run-1', 3);
          items.length > 0;
          items = await queue.takeItems('run-1', 3)
        ) {
          taken.push(...numbers(items));
          for (const item of items) expect(await queue.finishItem(item, resultAt(`case-${item.position}`))).toBe(true);
        }
      }),
    );
    expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(await ledger.runs.countItems('run-1')).toMatchObject({ done: 100, waiting: 0, running: 0 });
  }, 60_000);

  test('the first result stands', async () => {
    const queue = await queueOf(ledger);
    const [item] = await queue.takeItems('run-1', 1);
    expect(await queue.finishItem(item!, resultAt('case-1'))).toBe(true);
    expect(await queue.finishItem(item!, resultAt('case-2', { label: 'unsafe' }))).toBe(false);
    expect(await queue.failItem(item!, noAnswer, { retry: true })).toBe('lost');
    await queue.giveBackItems([item!]);
    expect(await queue.renewItems([item!])).toEqual([item]);
    expect(await stateOf(1)).toMatchObject({
      state: 'done',
      result: resultAt('case-1'),
      error: null,
      endedAt: expect.any(Date) as Date,
    });
  });

  test('a case that was decided at once goes on record with its result, and one that is there by itself', async () => {
    const judged = await judgeByGuard(ledger, { texts: [shortText(0), shortText(2)], exchanges: [] });
    const [first, second] = [judged[0]!, judged[1]!];
    const [one, two] = [resultAt(first.opened.id), resultAt(second.opened.id)];
    const queue = await queueOf(ledger);
    const [item, lost, same] = await queue.takeItems('run-1', 3);
    await queue.giveBackItems([lost!]);
    const outcomes = [queue.finishDecided(item!, one, first), queue.finishDecided(lost!, two, second)];
    expect(await Promise.all(outcomes)).toEqual([true, false]);
    expect(await stateOf(1)).toMatchObject({ state: 'done', result: one });
    expect(await stateOf(2)).toMatchObject({ state: 'waiting', result: null });
    expect((await ledger.cases.findCase(first.opened.id))!.answer!.seal).toBe(first.answer.seal);
    expect(await queue.finishDecided(same!, one, first)).toBeNull();
    // It is in hand as before.
    expect(await queue.renewItems([same!])).toEqual([]);
    expect(await queue.finishItem(same!, one)).toBe(true);
  }, 60_000);

  test('what ends in one run ends nothing in another, whose items stand at the same places', async () => {
    const same = (position: number) => itemAt(position, { hash: 'the same' });
    for (const run of ['run-a', 'run-b']) await startRun(ledger, run, [same(1), same(2)]);
    const queue = await queueOf(ledger);
    const [item] = await queue.takeItems('run-a', 1);
    await queue.finishItem(item!, resultAt('case-a'));
    const endedIn = async (run: string) =>
      (await ledger.runs.listItems(run, { order: 'input', limit: 9 })).map(({ endedAt }) => endedAt !== null);
    expect(await endedIn('run-a')).toEqual([true, true]);
    expect(await endedIn('run-b')).toEqual([false, false]);
  });

  test('items of the same content end with the one that was judged', async () => {
    await ledger.runs.putItems('run-1', [itemAt(6, { hash: 'hash-1' }), itemAt(7, { hash: 'hash-2' })]);
    const queue = await queueOf(ledger);
    const [one, two] = await queue.takeItems('run-1', 2);
    await queue.finishItem(one!, resultAt('case-1'));
    await queue.failItem(two!, noAnswer, { retry: false });
    expect(await stateOf(6)).toMatchObject({
      state: 'same',
      result: resultAt('case-1'),
      endedAt: (await stateOf(1)).endedAt,
    });
    expect(await stateOf(7)).toMatchObject({ state: 'same', error: noAnswer, endedAt: (await stateOf(2)).endedAt });
  });

  test('what failed waits again after a pause that doubles, and is set aside when the attempts are used up', async () => {
    const queue = await queueOf(ledger);
    const waits: number[] = [];
    let [item] = await queue.takeItems('run-1', 1);
    await queue.takeItems('run-1', 4);
    for (const attempts of [1, 2]) {
      expect(await queue.failItem(item!, noAnswer, { retry: true })).toBe('waiting');
      expect(await queue.takeItems('run-1', 1), 'not at once').toEqual([]);
      const since = Date.now();
      [item] = await takenAgain(queue, 1);
      waits.push(Date.now() - since);
      expect(item).toMatchObject({ position: 1, attempts, input: { text: 'Number 1' } });
    }
    expect(waits[1]!).toBeGreaterThan(250);
    expect(await queue.failItem(item!, noAnswer, { retry: true })).toBe('failed');
    expect(await stateOf(1)).toMatchObject({
      state: 'failed',
      attempts: 3,
      error: noAnswer,
      endedAt: expect.any(Date) as Date,
    });
    expect(await queue.takeItems('run-1', 1)).toEqual([]);
  }, 60_000);

  test('a pause is as long as it is, however wrong the clock is of whoever begins it', async () => {
    await dieWith(1);
    const queue = await queueOf(ledger);
    for (const item of await queue.takeItems('run-1', 9))
      await queue.finishItem(item, resultAt(`case-${item.position}`));
    await inThreeDays(async () => {
      const [item] = await queue.takeItems('run-1', 1);
      expect(await queue.failItem(item!, noAnswer, { retry: true })).toBe('waiting');
    });
    const [again] = await takenAgain(queue, 1);
    expect(again, 'nobody waits for days').toMatchObject({ position: 1, attempts: 1 });
    expect(await queue.finishItem(again!, resultAt('case-1'))).toBe(true);
  }, 60_000);

  test('what cannot be helped by another attempt is set aside at once', async () => {
    const queue = await queueOf(ledger);
    const [item] = await queue.takeItems('run-1', 1);
    expect(await queue.failItem(item!, noAnswer, { retry: false })).toBe('failed');
    expect(await stateOf(1)).toMatchObject({ state: 'failed', error: noAnswer });
    expect(numbers(await queue.takeItems('run-1', 1))).toEqual([2]);
  });

  test('what is given back waits again at once, and no attempt is counted', async () => {
    const queue = await queueOf(ledger);
    const taken = await queue.takeItems('run-1', 3);
    await queue.giveBackItems(taken.slice(1));
    expect(await stateOf(2)).toMatchObject({ state: 'waiting', attempts: 0, worker: null });
    const second = await queueOf(other);
    const again = await second.takeItems('run-1', 2);
    expect(again.map(({ position, attempts }) => [position, attempts])).toEqual([
      [2, 0],
      [3, 0],
    ]);
    expect(await queue.finishItem(taken[1]!, resultAt('late')), 'it is in other hands now').toBe(false);
    expect(await queue.renewItems(taken)).toEqual(taken.slice(1));
    expect(await second.renewItems(again)).toEqual([]);
    expect(await second.finishItem(again[0]!, resultAt('case-2'))).toBe(true);
  });

  test('who is heard of keeps its items', async () => {
    const [queue, second] = [await queueOf(ledger), await queueOf(other)];
    const taken = await queue.takeItems('run-1', 5);
    for (const until = Date.now() + 2.5 * heartbeatMs; Date.now() < until; await pause(heartbeatMs / 4)) {
      expect(await queue.renewItems(taken)).toEqual([]);
      await second.reclaimItems();
      expect(await second.takeItems('run-1', 5)).toEqual([]);
    }
    for (const item of taken) expect(await queue.finishItem(item, resultAt(`case-${item.position}`))).toBe(true);
  }, 60_000);

  test('the items of a worker that is heard of no more wait again, and it has lost them', async () => {
    const [queue, second] = [await queueOf(ledger), await queueOf(other)];
    const taken = await queue.takeItems('run-1', 5);
    await queue.finishItem(taken[4]!, resultAt('case-5'));
    expect(await second.takeItems('run-1', 5)).toEqual([]);
    const [again] = await takenAgain(second, 9);
    expect(again).toMatchObject({ position: 1, attempts: 0, input: { text: 'Number 1' } });
    expect(await queue.renewItems(taken.slice(0, 4))).toEqual(taken.slice(0, 4));
    expect(await queue.finishItem(taken[0]!, resultAt('late'))).toBe(false);
    expect(await queue.failItem(taken[1]!, noAnswer, { retry: false })).toBe('lost');
    await queue.giveBackItems([taken[2]!]);
    expect(await second.finishItem(again!, resultAt('case-1'))).toBe(true);
    await finishAll(second);
    expect(await ledger.runs.countItems('run-1')).toMatchObject({ done: 5, byLabel: { safe: 5 } });
    expect(await stateOf(1)).toMatchObject({ result: { case: 'case-1' } });
  }, 60_000);

  test('of several items that a worker died with each is tried by itself, after all others', async () => {
    expect(await dieWith(3)).toEqual([1, 2, 3]);
    const [queue, second] = [await queueOf(ledger), await queueOf(other)];
    const rest = await queue.takeItems('run-1', 9);
    expect(numbers(rest)).toEqual([4, 5]);
    expect(await queue.takeItems('run-1', 9), 'not beside others').toEqual([]);
    for (const item of rest) await queue.finishItem(item, resultAt(`case-${item.position}`));
    const [one] = await queue.takeItems('run-1', 9);
    const [two] = await second.takeItems('run-1', 9);
    expect([one, two]).toMatchObject([
      { position: 1, attempts: 0 },
      { position: 2, attempts: 0 },
    ]);
    await ledger.runs.putItems('run-1', [itemAt(6)]);
    expect(await queue.takeItems('run-1', 9), 'and nothing beside it').toEqual([]);
    await queue.giveBackItems([one!]);
    expect(numbers(await queue.takeItems('run-1', 1))).toEqual([6]);
    await second.finishItem(two!, resultAt('case-2'));
    expect(numbers(await second.takeItems('run-1', 9))).toEqual([1]);
  });

  test('who is killed again and again, more often than an item is tried, blames none', async () => {
    await ledger.runs.putItems(
      'run-1',
      Array.from({ length: 7 }, (_, index) => itemAt(index + 6)),
    );
    for (let kill = 0; kill < 3; kill += 1) expect(await dieWith(4)).toHaveLength(4);
    const alone: number[] = [];
    for (let kill = 0; kill < 6; kill += 1) alone.push(...(await dieWith(4)));
    expect(alone, 'each time another one').toEqual([1, 2, 3, 4, 5, 6]);
    for (let kill = 0; kill < 3; kill += 1) expect(await dieWith(4, { finishing: 1 })).toHaveLength(1);
    await finishAll(await queueOf(ledger));
    expect(await ledger.runs.countItems('run-1')).toMatchObject({ done: 12, failed: 0, waiting: 0, running: 0 });
  });

  test('an item that ends every process that takes it is set aside alone', async () => {
    await ledger.runs.putItems('run-1', [itemAt(6, { hash: 'hash-3' })]);
    const poison = 3;
    let deaths = 0;
    const workUntilDead = async () => {
      const queue = await queueOf(other, { heartbeatMs: 0 });
      for (let items = await queue.takeItems('run-1', 4); items.length > 0; items = await queue.takeItems('run-1', 4)) {
        if (numbers(items).includes(poison)) return true;
        for (const item of items) await queue.finishItem(item, resultAt(`case-${item.position}`));
      }
      return false;
    };
    for (; await workUntilDead(); deaths += 1) await (await queueOf(ledger, { heartbeatMs: 0 })).reclaimItems();
    expect(deaths).toBe(1 + 3);
    expect(await ledger.runs.countItems('run-1')).toMatchObject({ done: 4, failuresByCode: { 'worker-died': 1 } });
    expect(await stateOf(poison)).toMatchObject({
      state: 'failed',
      attempts: 3,
      error: { code: 'worker-died' },
      endedAt: expect.any(Date) as Date,
    });
    expect(await stateOf(6)).toMatchObject({ state: 'same', error: { code: 'worker-died' } });
    const healthy = await queueOf(ledger);
    expect(await healthy.takeItems('run-1', 5)).toEqual([]);
    expect(await ledger.runs.retryFailedItems('run-1')).toBe(1);
    await ledger.runs.putItems('run-1', [itemAt(7)]);
    expect(numbers(await healthy.takeItems('run-1', 5)), 'what ended processes is still tried by itself').toEqual([7]);
    expect(await (await queueOf(other)).takeItems('run-1', 5)).toMatchObject([
      { position: poison, attempts: 0, input: { text: 'Number 3' } },
    ]);
  });

  test('what is to be tried by itself is still, when its run was cancelled and goes on', async () => {
    await dieWith(2);
    await ledger.runs.cancelRun('run-1');
    const queue = await queueOf(ledger);
    expect(await queue.takeItems('run-1', 9)).toEqual([]);
    await ledger.runs.reopenRun('run-1');
    const rest = await queue.takeItems('run-1', 9);
    expect(numbers(rest)).toEqual([3, 4, 5]);
    for (const item of rest) await queue.finishItem(item, resultAt(`case-${item.position}`));
    expect(numbers(await queue.takeItems('run-1', 9))).toEqual([1]);
  });
}
