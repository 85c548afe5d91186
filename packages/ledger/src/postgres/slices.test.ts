import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cuttingProxy } from '@agonhq/test/support/cutting-proxy.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { itemAt, resultAt } from '@agonhq/test/support/run-items.ts';
import { openLedger, type ItemQueue, type Ledger, type TakenItem } from '../index.ts';
import { cutSlices } from './slices.ts';

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
  /** Jobs by their state. */
  jobs(): Promise<Record<string, number>>;
}

let workers = 0;

/** A run of so many items, in slices of so many. */
async function openStage(items: number, slice: number): Promise<Stage> {
  const url = await server.newLedger();
  const ledger = await openLedger({ url });
  const row = { id: 'run-1', name: null, job: 'moderation', configuration: 'c', settings: { slice }, input: null };
  await ledger.runs.startRun(row);
  await ledger.runs.putItems(
    'run-1',
    range(1, items).map((position) => itemAt(position)),
  );
  return {
    url,
    ledger,
    worker: (options = {}) => ledger.openQueue({ worker: `slices-${(workers += 1)}:1:worker`, ...options }),
    async jobs() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ state: string; jobs: string }>(
        'select state, count(*) as jobs from agon_queue.job group by 1',
      );
      await client.end();
      return Object.fromEntries(rows.map(({ state, jobs }) => [state, Number(jobs)]));
    },
    [Symbol.asyncDispose]: () => ledger.close(),
  };
}

describe('slices of a run', { timeout: 60_000 }, () => {
  test('hold every position once, none more than it may, and do not reach far', () => {
    const positions = fc.uniqueArray(fc.nat(5_000), { maxLength: 300 }).map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(positions, fc.integer({ min: 1, max: 100 }), (all, size) => {
        const slices = cutSlices(all, size);
        const held = slices.map(({ from, to }) => all.filter((position) => position >= from && position <= to));
        expect(held.flat()).toEqual(all);
        for (const [index, { from, to }] of slices.entries()) {
          expect(held[index]!.length).toBeLessThanOrEqual(size);
          expect(to - from).toBeLessThan(4 * size);
        }
      }),
    );
  });

  test('are the jobs: a thousand items in slices of a hundred are ten, and none is left in the end', async () => {
    await using stage = await openStage(1_000, 100);
    expect(await stage.jobs()).toEqual({ created: 10 });
    const queue = await stage.worker();
    const taken = await queue.takeItems('run-1', 250);
    expect(numbers(taken)).toEqual(range(1, 250));
    expect(await stage.jobs()).toEqual({ created: 7, active: 3 });
    await Promise.all(taken.map((item) => queue.finishItem(item, resultAt(`case-${item.position}`))));
    expect(await stage.jobs(), 'nobody asked yet whether there is more in them').toEqual({ created: 7, active: 2 });
    for (let more = await queue.takeItems('run-1', 500); more.length > 0; more = await queue.takeItems('run-1', 500))
      await Promise.all(more.map((item) => queue.finishItem(item, resultAt(`case-${item.position}`))));
    expect(await stage.jobs()).toEqual({});
    expect(await stage.ledger.runs.countItems('run-1')).toMatchObject({ done: 1_000, waiting: 0, running: 0 });
  });

  test('are cut when nothing else waits: who is idle gets the later half of what another has not begun', async () => {
    await using stage = await openStage(10, 100);
    const [first, second, third] = [await stage.worker(), await stage.worker(), await stage.worker()];
    expect(numbers(await first.takeItems('run-1', 2))).toEqual([1, 2]);
    expect(numbers(await second.takeItems('run-1', 2))).toEqual([7, 8]);
    expect(numbers(await third.takeItems('run-1', 9))).toEqual([5, 6]);
    expect(numbers(await first.takeItems('run-1', 9)), 'what is left of its own, then of others').toEqual([3, 4]);
    expect(numbers(await first.takeItems('run-1', 9))).toEqual([10]);
    expect(numbers(await first.takeItems('run-1', 9))).toEqual([9]);
    expect(await second.takeItems('run-1', 9)).toEqual([]);
  });

  test('of a dead worker are taken apart: what it had begun is tried alone, the rest as before', async () => {
    await using stage = await openStage(1_000, 500);
    const dead = await stage.worker({ heartbeatMs: 0 });
    const begun = await dead.takeItems('run-1', 5);
    await dead.finishItem(begun[0]!, resultAt('case-1'));
    const finder = await stage.worker({ heartbeatMs: 0 });
    await finder.reclaimItems();
    expect(await stage.jobs(), 'four to try alone, two halves, and what nobody had').toEqual({ created: 4 + 2 + 1 });
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
    expect(await stage.jobs()).toEqual({});
  });

  test('wait for others when their worker ends', async () => {
    await using stage = await openStage(20, 20);
    const [first, second] = [await stage.worker(), await stage.worker()];
    const taken = await first.takeItems('run-1', 3);
    await Promise.all(taken.map((item) => first.finishItem(item, resultAt(`case-${item.position}`))));
    await first.close();
    expect(await stage.jobs()).toEqual({ created: 1 });
    expect(numbers(await second.takeItems('run-1', 99))).toEqual(range(4, 20));
  });

  test('results that come at once are written together, and each stands or falls by itself', async () => {
    await using stage = await openStage(6, 6);
    const [first, second] = [await stage.worker(), await stage.worker()];
    const taken = await first.takeItems('run-1', 6);
    await first.giveBackItems([taken[1]!, taken[4]!]);
    expect(numbers(await second.takeItems('run-1', 9))).toEqual([2, 5]);
    const finish = (item: TakenItem) => first.finishItem(item, resultAt(`case-${item.position}`));
    expect(await Promise.all([...taken, taken[0]!].map(finish))).toEqual([true, false, true, true, false, true, false]);
    expect(await finish(taken[0]!)).toBe(false);
  });

  test('items of a take whose answer was lost are taken by the same worker when it asks again', async () => {
    await using stage = await openStage(20, 20);
    await using proxy = await cuttingProxy(stage.url);
    const through = await openLedger({
      url: Object.assign(new URL(stage.url), { host: new URL(proxy.url).host }).href,
    });
    const queue = await through.openQueue({ worker: 'cut:1:off' });
    expect(numbers(await queue.takeItems('run-1', 4))).toEqual([1, 2, 3, 4]);
    proxy.loseAnswer();
    await expect(queue.takeItems('run-1', 4)).rejects.toMatchObject({ code: 'ledger-unreachable' });
    expect(await stage.ledger.runs.countItems('run-1'), 'it was done').toMatchObject({ running: 8 });
    expect(numbers(await queue.takeItems('run-1', 6))).toEqual([5, 6, 7, 8, 9, 10]);
    await through.close();
  });
});
