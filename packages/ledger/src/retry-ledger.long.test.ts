import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { turnAt } from '@agonhq/test/support/ledger-cases.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { itemAt, resultAt, startRun } from '@agonhq/test/support/run-items.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { openLedger, withRetries } from './index.ts';

let server: PostgresServer;

beforeAll(async () => {
  // What was acknowledged has to be there after the server was ended at once.
  server = await startPostgres({ durable: true });
}, 60_000);
afterAll(() => server.stop(), 60_000);

describe('a patient ledger', () => {
  test('waits while the disk of the database is full, and says so once', async () => {
    const opened = await openLedger({ url: await server.newLedger() });
    const told: string[] = [];
    let full = 3;
    const { findRun } = opened.runs;
    opened.runs.findRun = async (id) => {
      if ((full -= 1) >= 0) throw new AgonError('full-disk', 'There is no room left.', 'Make room.');
      return findRun(id);
    };
    const ledger = withRetries(opened, { onWait: ({ code }) => told.push(code) });
    try {
      expect(await ledger.runs.findRun('run-1')).toBeUndefined();
      expect(told).toEqual(['full-disk']);
    } finally {
      await ledger.close();
    }
  });

  test('loses nothing when the database is restarted in the midst of the work', async () => {
    const told: string[] = [];
    const ledger = withRetries(await openLedger({ url: await server.newLedger() }), {
      onWait: ({ code }) => told.push(code),
    });
    await startRun(
      ledger,
      'run-1',
      Array.from({ length: 400 }, (_, index) => itemAt(index)),
    );
    await ledger.benches.startBench({ id: 'bench', name: 'nightly', plan: {} });
    const queue = await ledger.openQueue({ worker: 'retry-one', heartbeatMs: 3_000 });
    const judged = new Set<number>();
    let away = false;
    const restarted = pause(300)
      .then(() => (away = true))
      .then(() => server.restart({ awayMs: 700 }));
    const work = async () => {
      for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
        const [item] = await queue.takeItems('run-1', 1);
        if (!item) {
          if ((await ledger.runs.countItems('run-1')).done === 400 && away) return;
          // A take whose answer was lost comes back when its heartbeat has lapsed.
          await queue.reclaimItems();
          await pause(100);
          continue;
        }
        const entry = turnAt(`turn-${item.position}`);
        expect(await ledger.journal.insert('debate', entry)).toEqual(entry);
        await ledger.cache.keepAnswer(`answer-${item.position}`, item.position);
        await ledger.benches.keepJudgements('bench', [{ key: `item-${item.position}`, result: item.position }]);
        await queue.finishItem(item, resultAt(`case-${item.position}`));
        judged.add(item.position);
        await pause(10);
      }
    };
    await Promise.all([restarted, ...Array.from({ length: 24 }, work)]);
    expect(told).toContain('ledger-unreachable');
    expect(told.length).toBeLessThan(10);
    expect(judged.size).toBe(400);
    expect(await ledger.runs.countItems('run-1')).toMatchObject({ done: 400, failed: 0, waiting: 0, running: 0 });
    expect(await ledger.benches.findBench('bench')).toMatchObject({ judged: 400 });
    for (const position of judged) {
      const entry = turnAt(`turn-${position}`);
      expect(await ledger.journal.find('debate', entry.key, entry.inputHash)).toEqual(entry);
    }
    await ledger.close();
  }, 120_000);

  test('does again what a deadlock took back', async () => {
    const url = await server.newLedger();
    const told: string[] = [];
    const ledger = withRetries(await openLedger({ url }), { onWait: ({ code }) => told.push(code) });
    await startRun(ledger, 'run-1', [itemAt(0)]);
    const queue = await ledger.openQueue({ worker: 'retry-one' });
    const [item] = await queue.takeItems('run-1', 1);
    await queue.failItem(item!, { code: 'no-answer', message: 'There was none.', hint: 'Wait.' }, { retry: false });
    const other = new pg.Client(url);
    await other.connect();
    await other.query('begin');
    await other.query('select 1 from run_items for update');
    // It has the run's row and waits for the item; the other has the item and asks for the run's row.
    const retried = ledger.runs.retryFailedItems('run-1');
    await pause(300);
    await other.query(`update runs set name = 'x'`);
    await other.query('commit');
    expect(await retried).toBe(1);
    expect(told).toEqual(['ledger-conflict']);
    await other.end();
    await ledger.close();
  }, 60_000);

  test('gives up when its time is over, and says nothing twice', async () => {
    const opened = await openLedger({ url: await server.newLedger() });
    const told: string[] = [];
    const ledger = withRetries(opened, { forMs: 600, onWait: ({ code }) => told.push(code) });
    const restarted = server.restart({ awayMs: 3_000 });
    await pause(500);
    const failures = await Promise.all(
      [
        ledger.cache.findAnswer('a'),
        ledger.cache.findAnswer('b'),
        ledger.fleet!.claimShare({
          worker: 'w',
          model: 'm',
          limits: { concurrency: 1 },
          wanted: 1,
          inUse: 0,
          leaseMs: 1,
        }),
      ].map((each) =>
        each.then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    );
    expect(failures).toMatchObject(Array.from({ length: 3 }, () => ({ code: 'ledger-unreachable' })));
    expect(told).toEqual(['ledger-unreachable']);
    await restarted;
    expect(await ledger.cache.findAnswer('a')).toBeUndefined();
    await ledger.close();
  }, 60_000);

  test('waits for as long as nobody ends it', async () => {
    const opened = await openLedger({ url: await server.newLedger() });
    let ended = false;
    const ledger = withRetries(opened, { forMs: () => (ended ? 0 : Infinity) });
    const restarted = server.restart({ awayMs: 4_000 });
    await pause(500);
    const found = ledger.cache.findAnswer('a').then(
      () => 'found',
      ({ code }: { code: string }) => code,
    );
    expect(await Promise.race([found, pause(1_500)])).toBeUndefined();
    ended = true;
    expect(await found).toBe('ledger-unreachable');
    await restarted;
    await ledger.close();
  }, 60_000);

  test('does not wait for what waiting does not help', async () => {
    const ledger = withRetries(await openLedger({ url: await server.newLedger() }));
    await expect(ledger.runs.putItems('nothing', [itemAt(1)])).rejects.toMatchObject({ code: 'unknown-run' });
    const standing: string[] = [];
    for await (const { id } of ledger.decisions.readStandingDecisions()) standing.push(id);
    expect(standing).toEqual([]);
    await ledger.close();
  }, 60_000);
});
