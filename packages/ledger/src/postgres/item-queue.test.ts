import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cuttingProxy } from '@agonhq/test/support/cutting-proxy.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { itemAt, resultAt, startRun } from '@agonhq/test/support/run-items.ts';
import { openLedger, type ItemQueue, type Ledger, type TakenItem } from '../index.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server.stop(), 60_000);

const numbers = (taken: readonly TakenItem[]) => taken.map(({ position }) => position);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

interface Stage extends AsyncDisposable {
  url: string;
  ledger: Ledger;
  /** A worker in a process of its own. */
  worker(options?: { heartbeatMs?: number }): Promise<ItemQueue>;
}

let workers = 0;

/** A run of so many items. */
async function openStage(items: number): Promise<Stage> {
  const url = await server.newLedger();
  const ledger = await openLedger({ url });
  await startRun(
    ledger,
    'run-1',
    range(1, items).map((position) => itemAt(position)),
  );
  return {
    url,
    ledger,
    worker: (options = {}) => ledger.openQueue({ worker: `machine-${(workers += 1)}:1:worker`, ...options }),
    [Symbol.asyncDispose]: () => ledger.close(),
  };
}

describe('the queue of items on PostgreSQL', { timeout: 60_000 }, () => {
  test('a thousand items, taken many at once, are each taken once and in order', async () => {
    await using stage = await openStage(1_000);
    const queue = await stage.worker();
    const taken = await queue.takeItems('run-1', 250);
    expect(numbers(taken)).toEqual(range(1, 250));
    await Promise.all(taken.map((item) => queue.finishItem(item, resultAt(`case-${item.position}`))));
    for (let more = await queue.takeItems('run-1', 500); more.length > 0; more = await queue.takeItems('run-1', 500))
      await Promise.all(more.map((item) => queue.finishItem(item, resultAt(`case-${item.position}`))));
    expect(await stage.ledger.runs.countItems('run-1')).toMatchObject({ done: 1_000, waiting: 0, running: 0 });
  });

  test('who is idle gets whatever another has not begun, down to the last item', async () => {
    await using stage = await openStage(10);
    const [first, second, third] = [await stage.worker(), await stage.worker(), await stage.worker()];
    expect(numbers(await first.takeItems('run-1', 2))).toEqual([1, 2]);
    expect(numbers(await second.takeItems('run-1', 2))).toEqual([3, 4]);
    expect(numbers(await third.takeItems('run-1', 5))).toEqual([5, 6, 7, 8, 9]);
    expect(numbers(await first.takeItems('run-1', 9))).toEqual([10]);
    expect(await second.takeItems('run-1', 9)).toEqual([]);
  });

  test('of a dead worker what it had begun is tried alone, the rest as before', async () => {
    await using stage = await openStage(1_000);
    const dead = await stage.worker({ heartbeatMs: 0 });
    const begun = await dead.takeItems('run-1', 5);
    await dead.finishItem(begun[0]!, resultAt('case-1'));
    const finder = await stage.worker({ heartbeatMs: 0 });
    await finder.reclaimItems();
    const queue = await stage.worker();
    const rest = await queue.takeItems('run-1', 2_000);
    expect(numbers(rest)).toEqual(range(6, 1_000));
    expect(await queue.takeItems('run-1', 9), 'not beside others').toEqual([]);
    await Promise.all(rest.map((item) => queue.finishItem(item, resultAt(`case-${item.position}`))));
    for (const position of range(2, 5)) {
      const alone = await queue.takeItems('run-1', 9);
      expect(numbers(alone)).toEqual([position]);
      await queue.finishItem(alone[0]!, resultAt(`case-${position}`));
    }
    expect(await stage.ledger.runs.countItems('run-1')).toMatchObject({ done: 1_000, failed: 0 });
  });

  test('what a worker has not taken is there for others when it ends', async () => {
    await using stage = await openStage(20);
    const [first, second] = [await stage.worker(), await stage.worker()];
    const taken = await first.takeItems('run-1', 3);
    await Promise.all(taken.map((item) => first.finishItem(item, resultAt(`case-${item.position}`))));
    await first.close();
    expect(numbers(await second.takeItems('run-1', 99))).toEqual(range(4, 20));
  });

  test('results that come at once are written together, and each stands or falls by itself', async () => {
    await using stage = await openStage(6);
    const [first, second] = [await stage.worker(), await stage.worker()];
    const taken = await first.takeItems('run-1', 6);
    await first.giveBackItems([taken[1]!, taken[4]!]);
    expect(numbers(await second.takeItems('run-1', 9))).toEqual([2, 5]);
    const finish = (item: TakenItem) => first.finishItem(item, resultAt(`case-${item.position}`));
    expect(await Promise.all([...taken, taken[0]!].map(finish))).toEqual([true, false, true, true, false, true, false]);
    expect(await finish(taken[0]!)).toBe(false);
  });

  test('items of a take whose answer was lost are taken by the same worker when it asks again', async () => {
    await using stage = await openStage(20);
    await using proxy = await cuttingProxy(stage.url);
    const through = await openLedger({
      url: Object.assign(new URL(stage.url), { host: new URL(proxy.url).host }).href,
    });
    const queue = await through.openQueue({ worker: 'cut:1:off' });
    expect(numbers(await queue.takeItems('run-1', 4))).toEqual([1, 2, 3, 4]);
    // To `begin` and to the statement there are answers; that to `commit` is lost.
    proxy.loseAnswer(2);
    await expect(queue.takeItems('run-1', 4)).rejects.toMatchObject({ code: 'ledger-unreachable' });
    expect(await stage.ledger.runs.countItems('run-1'), 'it was done').toMatchObject({ running: 8 });
    expect(numbers(await queue.takeItems('run-1', 6))).toEqual([5, 6, 7, 8, 9, 10]);
    await through.close();
  });
});
