import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openLedger } from '@agonhq/ledger';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import type { WorkerOrder } from '@agonhq/test/support/queue-worker.ts';
import { messageOf, startChild } from './children.ts';
import { planInstantRun } from './instant-guard.ts';
import { putRun } from './queue-speed.ts';
import { isShort, scale } from './scale.ts';
import { decimals, table, whole } from './table.ts';

/*
 * One to four workers of a fleet on one run whose reasoner takes 200 ms for an item: it is the limit, not the cores. What
 * is counted are results, from the first tenth of the run to the ninth: neither the workers' start nor the end, where
 * there is not enough left for all of them.
 */

const work = { delayMs: 200, atOnce: 16 };
/** So long a run takes if nothing but the reasoner does. */
const seconds = scale(20, 2);

interface FleetRate {
  workers: number;
  items: number;
  itemsPerSecond: number;
  /** Of what the reasoner alone would take. */
  ofIdeal: number;
  times: number;
}

export async function measureQueueWorkers(asJson: boolean): Promise<FleetRate[]> {
  const before = loadavg()[0]!;
  const server = await startPostgres({ durable: true });
  const rows: FleetRate[] = [];
  try {
    for (const workers of isShort ? [1, 2] : [1, 2, 4]) rows.push(await measureOnce(server, workers, rows[0]));
  } finally {
    await server.stop();
  }
  if (!asJson)
    console.log(
      `Workers, a reasoner that takes ${work.delayMs} ms, ${work.atOnce} items at once each (load before: ${decimals(before, 1)})\n\n${table(
        ['workers', 'items', 'items/s', 'of the ideal', 'times one'],
        rows.map((row) => [
          row.workers,
          whole(row.items),
          decimals(row.itemsPerSecond, 1),
          decimals(row.ofIdeal, 2),
          decimals(row.times, 2),
        ]),
      )}\n`,
    );
  return rows;
}

async function measureOnce(server: PostgresServer, workers: number, one: FleetRate | undefined): Promise<FleetRate> {
  const url = await server.newDatabase();
  const ideal = (workers * work.atOnce) / (work.delayMs / 1_000);
  const items = ideal * seconds;
  const ledger = await openLedger({ url });
  const order: WorkerOrder = { url, heartbeatMs: 30_000, ...work };
  const children = Array.from({ length: workers }, () =>
    startChild(new URL('../../../test/support/queue-worker.ts', import.meta.url), JSON.stringify(order)),
  );
  try {
    await Promise.all(children.map((child) => messageOf(child)));
    const run = await putRun(ledger, await planInstantRun(), items);
    while ((await ledger.runs.findRun(run))!.state === 'running') await pause(200);
    const itemsPerSecond = await readRate(url, run, items);
    const ofIdeal = itemsPerSecond / ideal;
    return { workers, items, itemsPerSecond, ofIdeal, times: itemsPerSecond / (one?.itemsPerSecond ?? itemsPerSecond) };
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode === null) await once(child, 'exit');
      }),
    );
    await ledger.close();
  }
}

async function readRate(url: string, run: string, items: number): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ ended_at: string }>(
    `select ended_at from run_items where run = $1 and state = 'done' order by ended_at`,
    [run],
  );
  await client.end();
  if (rows.length !== items) throw new Error(`${rows.length} of ${items} items were judged`);
  const [from, to] = [0.1, 0.9].map((share) => Math.floor(items * share)) as [number, number];
  return ((to - from) / (Date.parse(rows[to]!.ended_at) - Date.parse(rows[from]!.ended_at))) * 1_000;
}
