import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { queueContract } from '@agonhq/test/support/queue-contract.ts';
import { itemAt, resultAt, startRun } from '@agonhq/test/support/run-items.ts';
import { openLedger } from '../index.ts';

let server: PostgresServer;

beforeAll(async () => void (server = await startPostgres()), 60_000);
afterAll(() => server.stop(), 60_000);

async function rowsOf(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('the queue of items on a server of PostgreSQL', () => {
  queueContract({
    async make() {
      const url = await server.newLedger();
      return [await openLedger({ url }), await openLedger({ url })];
    },
  });
});

describe('pg-boss beside a ledger', () => {
  test('has a schema of its own, which is made when a run first needs it, and keeps no job of an item that has ended', async () => {
    const url = await server.newDatabase();
    const ledger = await openLedger({ url });
    const queueSchemas = "select nspname from pg_namespace where nspname like '%queue'";
    await ledger.runs.listRuns();
    expect(await rowsOf(url, queueSchemas)).toEqual([]);
    await startRun(
      ledger,
      'run-1',
      [1, 2, 3, 4].map((position) => itemAt(position)),
    );
    expect(await rowsOf(url, queueSchemas)).toEqual([{ nspname: 'agon_queue' }]);
    const queue = await ledger.openQueue({ worker: 'one' });
    const [first, second, third] = await queue.takeItems('run-1', 3);
    await queue.finishItem(first!, resultAt('case-1'));
    await queue.failItem(second!, { code: 'broken', message: 'It is.', hint: 'Mend it.' }, { retry: false });
    await queue.giveBackItems([third!]);
    const jobs = "select data ->> 'from' as first, data ->> 'to' as last, state from agon_queue.job order by 1";
    expect(await rowsOf(url, jobs)).toEqual([
      { first: '1', last: '4', state: 'active' },
      { first: '3', last: '3', state: 'created' },
    ]);
    await queue.close();
    // Whoever asked for the rest of its slice was told of the third one, too: they are taken once.
    const other = await ledger.openQueue({ worker: 'two' });
    const rest = await other.takeItems('run-1', 9);
    expect(rest.map(({ position }) => position)).toEqual([3, 4]);
    for (const item of rest) await other.finishItem(item, resultAt(`case-${item.position}`));
    expect(await rowsOf(url, jobs)).toEqual([]);
    await ledger.close();
  }, 60_000);

  test('tries the items of a run as often as its plan says, whoever works on it', async () => {
    const ledger = await openLedger({ url: await server.newLedger() });
    const failure = { code: 'no-answer', message: 'There was none.', hint: 'Wait.' };
    for (const [id, settings] of [
      ['once', { attempts: 1 }],
      ['often', { attempts: 9 }],
      ['unsaid', null],
    ] as const) {
      await ledger.runs.startRun({ id, name: null, job: 'moderation', configuration: 'c', settings, input: null });
      await ledger.runs.putItems(id, [itemAt(1), itemAt(2)]);
    }
    const queue = await ledger.openQueue({ worker: 'one', attempts: 2, heartbeatMs: 1 });
    const taken = await Promise.all(['once', 'often', 'unsaid'].map((run) => queue.takeItems(run, 1)));
    const failed = await Promise.all(taken.flat().map((item) => queue.failItem(item, failure, { retry: true })));
    expect(failed).toEqual(['failed', 'waiting', 'waiting']);
    const finder = await ledger.openQueue({ worker: 'finder', heartbeatMs: 0 });
    for (const run of ['once', 'often', 'unsaid']) {
      const dead = await ledger.openQueue({ worker: `dead-${run}` });
      // Once with another one that may be the reason, and once by itself. Nobody says that they are kept.
      await dead.takeItems(run, 1);
      await finder.reclaimItems();
      await (await ledger.openQueue({ worker: `dead-again-${run}` })).takeItems(run, 1);
    }
    await finder.reclaimItems();
    expect(
      await Promise.all(
        ['once', 'often', 'unsaid'].map(async (run) => (await ledger.runs.countItems(run)).failuresByCode),
      ),
    ).toEqual([{ 'no-answer': 1, 'worker-died': 1 }, {}, {}]);
    await ledger.close();
  }, 60_000);

  test('is made once when several workers begin at the same moment', async () => {
    const url = await server.newLedger();
    const ledgers = await Promise.all([1, 2, 3, 4].map(() => openLedger({ url })));
    await ledgers[0]!.runs.startRun({
      id: 'run-1',
      name: null,
      job: 'moderation',
      configuration: 'sha256:1',
      settings: {},
      input: null,
    });
    await Promise.all(ledgers.map((ledger, index) => ledger.runs.putItems('run-1', [itemAt(index)])));
    const taken = await Promise.all(
      ledgers.map(async (ledger, index) =>
        (await ledger.openQueue({ worker: `worker-${index}` })).takeItems('run-1', 1),
      ),
    );
    expect(
      taken
        .flat()
        .map(({ position }) => position)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 1, 2, 3]);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  }, 60_000);

  test('many puts into many new runs at once do not wait for each other’s connections', async () => {
    const ledger = await openLedger({ url: await server.newLedger() });
    const runs = Array.from({ length: 24 }, (_, index) => `run-${index}`);
    await Promise.all(runs.map((run) => startRun(ledger, run, [itemAt(1), itemAt(2)])));
    const queue = await ledger.openQueue({ worker: 'one' });
    const taken = await Promise.all(runs.map((run) => queue.takeItems(run, 5)));
    expect(taken.map((items) => items.length)).toEqual(runs.map(() => 2));
    expect(await queue.renewItems(taken.flat())).toEqual([]);
    await ledger.close();
  }, 60_000);

  test('an item that lapsed is counted once, however many workers find it at once', async () => {
    const url = await server.newLedger();
    const ledgers = await Promise.all([1, 2, 3].map(() => openLedger({ url })));
    await startRun(
      ledgers[0]!,
      'run-1',
      Array.from({ length: 30 }, (_, index) => itemAt(index)),
    );
    const dead = await ledgers[0]!.openQueue({ worker: 'dead' });
    expect(await dead.takeItems('run-1', 30)).toHaveLength(30);
    const finders = await Promise.all(
      ledgers.map((ledger, index) => ledger.openQueue({ worker: `finder-${index}`, heartbeatMs: 0 })),
    );
    const findAll = () => Promise.all([...finders, ...finders].map((queue) => queue.reclaimItems()));
    await findAll();
    const alone = await ledgers[1]!.openQueue({ worker: 'dead-alone' });
    expect(await alone.takeItems('run-1', 30)).toMatchObject([{ position: 0, attempts: 0 }]);
    await findAll();
    const items = await ledgers[0]!.runs.listItems('run-1', { order: 'input', limit: 100 });
    expect(items.map(({ state, attempts }) => [state, attempts])).toEqual(
      items.map(({ position }) => ['waiting', position === 0 ? 1 : 0]),
    );
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  }, 60_000);

  test('a server that was away for longer than a heartbeat does not take their items from those who live', async () => {
    const url = await server.newLedger();
    const [ledger, other] = await Promise.all([openLedger({ url }), openLedger({ url })]);
    await startRun(ledger, 'run-1', [itemAt(1), itemAt(2)]);
    const heartbeatMs = 4_000;
    const [queue, second] = [
      await ledger.openQueue({ worker: 'one', heartbeatMs }),
      await other.openQueue({ worker: 'two', heartbeatMs }),
    ];
    const taken = await queue.takeItems('run-1', 2);
    await server.restart({ awayMs: heartbeatMs });
    await second.reclaimItems();
    expect(await second.takeItems('run-1', 2)).toEqual([]);
    expect(await queue.renewItems(taken)).toEqual([]);
    await Promise.all([ledger.close(), other.close()]);
  }, 60_000);

  test('who may make tables but no schema is told what to ask for, and works once it is there', async () => {
    const url = await server.newDatabase();
    await rowsOf(url, "create role modest login password 'modest-word'");
    await rowsOf(url, 'create schema modest authorization modest');
    const at = new URL(url);
    Object.assign(at, { username: 'modest', password: 'modest-word' });
    at.searchParams.set('options', '-c search_path=modest');
    const ledger = await openLedger({ url: at.href });
    await expect(startRun(ledger, 'run-1', [itemAt(1)])).rejects.toMatchObject({
      code: 'ledger-refused',
      hint: expect.stringContaining('create schema modest_queue authorization') as string,
    });
    await rowsOf(url, 'create schema modest_queue authorization modest');
    await startRun(ledger, 'run-1', [itemAt(1)]);
    expect(await (await ledger.openQueue({ worker: 'one' })).takeItems('run-1', 1)).toHaveLength(1);
    await ledger.close();
  }, 60_000);
});
