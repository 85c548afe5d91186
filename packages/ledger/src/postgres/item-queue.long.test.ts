import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { queueContract } from '@agonhq/test/support/queue-contract.ts';
import { itemAt, startRun } from '@agonhq/test/support/run-items.ts';
import { openLedger } from '../index.ts';

let server: PostgresServer;

beforeAll(async () => void (server = await startPostgres()), 60_000);
afterAll(() => server.stop(), 60_000);

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
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

describe('the workers of a fleet', () => {
  test('try the items of a run as often as its plan says, whoever works on it', async () => {
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
    const queue = await ledger.openQueue({ worker: 'one', heartbeatMs: 0 });
    const taken = await Promise.all(['once', 'often', 'unsaid'].map((run) => queue.takeItems(run, 1)));
    const failed = await Promise.all(taken.flat().map((item) => queue.failItem(item, failure, { retry: true })));
    expect(failed).toEqual(['failed', 'waiting', 'waiting']);
    const finder = await ledger.openQueue({ worker: 'finder', heartbeatMs: 0 });
    for (const run of ['once', 'often', 'unsaid']) {
      const dead = await ledger.openQueue({ worker: `dead-${run}`, heartbeatMs: 0 });
      // Once with another one that may be the reason, and once by itself. Nobody says that they are kept.
      await dead.takeItems(run, 1);
      await finder.reclaimItems();
      await (await ledger.openQueue({ worker: `dead-again-${run}`, heartbeatMs: 0 })).takeItems(run, 1);
    }
    await finder.reclaimItems();
    expect(
      await Promise.all(
        ['once', 'often', 'unsaid'].map(async (run) => (await ledger.runs.countItems(run)).failuresByCode),
      ),
    ).toEqual([{ 'no-answer': 1, 'worker-died': 1 }, {}, {}]);
    await ledger.close();
  }, 60_000);

  test('may all begin at the same moment', async () => {
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
    const dead = await ledgers[0]!.openQueue({ worker: 'dead', heartbeatMs: 0 });
    expect(await dead.takeItems('run-1', 30)).toHaveLength(30);
    const finders = await Promise.all(
      ledgers.map((ledger, index) => ledger.openQueue({ worker: `finder-${index}`, heartbeatMs: 0 })),
    );
    const findAll = () => Promise.all([...finders, ...finders].map((queue) => queue.reclaimItems()));
    await findAll();
    const alone = await ledgers[1]!.openQueue({ worker: 'dead-alone', heartbeatMs: 0 });
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

  test('need no schema but that of the ledger', async () => {
    const url = await server.newDatabase();
    await runStatement(url, "create role modest login password 'modest-word'");
    await runStatement(url, 'create schema modest authorization modest');
    const at = new URL(url);
    Object.assign(at, { username: 'modest', password: 'modest-word' });
    at.searchParams.set('options', '-c search_path=modest');
    const ledger = await openLedger({ url: at.href });
    await startRun(ledger, 'run-1', [itemAt(1)]);
    expect(await (await ledger.openQueue({ worker: 'one' })).takeItems('run-1', 1)).toHaveLength(1);
    await ledger.close();
  }, 60_000);
});
