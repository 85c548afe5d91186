import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEarlierWorker } from '../../../test/support/earlier-worker.ts';
import { startPostgres, type PostgresServer } from '../../../test/support/postgres.ts';
import { itemAt, resultAt } from '../../../test/support/run-items.ts';
import { openLedger, type ItemQueue, type Ledger } from '../index.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server.stop(), 60_000);

const run = 'run-1';
const positions = Array.from({ length: 60 }, (_, index) => index + 1);

interface Stage extends AsyncDisposable {
  url: string;
  ledger: Ledger;
  ask<Row extends object>(text: string): Promise<Row[]>;
}

async function openStage(): Promise<Stage> {
  const url = await server.newDatabase();
  const ledger = await openLedger({ url });
  await ledger.runs.startRun({
    id: run,
    name: null,
    job: 'moderation',
    configuration: 'c',
    settings: { slice: 20 },
    input: null,
  });
  await ledger.runs.putItems(
    run,
    positions.map((position) => itemAt(position)),
  );
  await ledger.runs.markLoaded(run, positions.length);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return {
    url,
    ledger,
    ask: async <Row extends object>(text: string) => (await pool.query<Row>(text)).rows,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await ledger.close();
    },
  };
}

/** A run as the release before slices plans it. */
async function openEarlierStage(): Promise<Stage> {
  const stage = await openStage();
  await stage.ask('delete from agon_queue.job');
  await using earlier = await openEarlierWorker(stage.url, 'earlier-0:1:plans');
  await earlier.plan(run, positions);
  return stage;
}

/** Works as a worker does until the run is over; returns what it finished. */
async function workThrough({ runs }: Ledger, queue: ItemQueue): Promise<number[]> {
  const done: number[] = [];
  while (!(await runs.isRunOver(run))) {
    const taken = await queue.takeItems(run, 10);
    if (taken.length === 0) await queue.reclaimItems();
    for (const item of taken)
      if (await queue.finishItem(item, resultAt(`case-${item.position}`))) done.push(item.position);
  }
  await queue.close();
  return done.sort((a, b) => a - b);
}

test('workers of the release before slices leave them alone', async () => {
  await using stage = await openStage();
  await using earlier = await openEarlierWorker(stage.url, 'earlier-1:1:earlier');
  const jobs = () => stage.ask<{ name: string; id: string }>('select name, id from agon_queue.job order by id');
  const before = await jobs();
  expect(before).toHaveLength(3);
  expect(await earlier.take(run, 10)).toEqual([]);
  expect(await jobs()).toEqual(before);
  expect(await workThrough(stage.ledger, await stage.ledger.openQueue({ worker: 'earlier-2:1:new' }))).toEqual(
    positions,
  );
}, 60_000);

test('a run that the release before slices planned is finished by its workers and ours, each item once', async () => {
  await using stage = await openEarlierStage();
  await using earlier = await openEarlierWorker(stage.url, 'earlier-1:1:earlier');
  const first = await earlier.take(run, 5);
  const queue = await stage.ledger.openQueue({ worker: 'earlier-2:1:new' });
  const taken = await queue.takeItems(run, 10);
  const second = await earlier.take(run, 5);
  for (const item of [...first, ...second]) expect(await earlier.finish(item)).toBe(true);
  for (const item of taken) expect(await queue.finishItem(item, resultAt(`case-${item.position}`))).toBe(true);
  const all = [...first, ...second, ...taken].map(({ position }) => position);
  expect([...all, ...(await workThrough(stage.ledger, queue))].sort((a, b) => a - b)).toEqual(positions);
  expect(await stage.ledger.runs.isRunOver(run)).toBe(true);
  expect(await stage.ask('select 1 from agon_queue.job')).toEqual([]);
}, 60_000);

test('what an earlier worker had in hand when it died is tried alone by ours, and what it left is taken', async () => {
  await using stage = await openEarlierStage();
  await using earlier = await openEarlierWorker(stage.url, 'earlier-1:1:earlier');
  const begun = await earlier.take(run, 3);
  expect(begun).toHaveLength(3);
  const queue = await stage.ledger.openQueue({ worker: 'earlier-2:1:new', heartbeatMs: 1_000 });
  await stage.ask(`update agon_queue.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`);
  expect(await workThrough(stage.ledger, queue)).toEqual(positions);
  expect(await earlier.finish(begun[0]!)).toBe(false);
  expect(await stage.ask('select 1 from agon_queue.job')).toEqual([]);
}, 60_000);
