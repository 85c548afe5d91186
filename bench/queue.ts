import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { hashOf } from '../src/hash.ts';
import { openLedger } from '../src/ledger/index.ts';
import { measureFleet, type FleetSpeed } from '../test/support/fleet-scale.ts';
import { surviveQueueOrdeal } from '../test/support/queue-ordeal.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { messageOf, startChild } from './children.ts';
import { shortText } from './embedded-texts.ts';
import { planInstantRun } from './instant-guard.ts';
import { readPostgresSeconds } from './postgres-time.ts';
import type { QueueOrder } from './queue-process.ts';
import { isShort, scale } from './scale.ts';
import { decimals, table, whole } from './table.ts';

/*
 * Items a second through the queue and the ledger on PostgreSQL, of a run that a guard decides which answers at once; as
 * it was, with a job an item, and in slices. Then one to four workers where a provider of 200 ms is the limit, and what
 * becomes of 20,000 items when workers are killed and stopped and the server restarts: `npm run bench:queue [-- speed |
 * workers | ordeal] [--json]`. Workers and ordeal need the built project (npm run build).
 */

const sections = ['speed', 'workers', 'ordeal'] as const;
const asked = sections.filter((section) => process.argv.includes(section));
// The tests survive the ordeal each time, and bench:fleet measures workers shortly.
const wanted = new Set(asked.length > 0 ? asked : isShort ? ['speed'] : sections);
const judges: Record<QueueOrder['judge'], string> = {
  result: 'items taken and ended',
  record: 'and their cases written',
  trial: 'and their trials held',
};

const asJson = process.argv.includes('--json');
const results: Record<string, unknown> = { load: loadavg()[0] };

if (wanted.has('speed')) results['speed'] = await measureSpeed();
if (wanted.has('workers')) results['workers'] = await measureWorkers();
if (wanted.has('ordeal')) results['ordeal'] = await endure();
if (asJson) console.log(JSON.stringify(results, null, 2));

interface Speed {
  way: QueueOrder['way'];
  judge: QueueOrder['judge'];
  processes: number;
  items: number;
  putPerSecond: number;
  perSecond: number;
  /** For an item, of the workers and of the server; null where that cannot be told. */
  cpuMs: number;
  postgresMs: number | null;
}

async function measureSpeed(): Promise<Speed[]> {
  const before = loadavg()[0]!;
  const server = await startPostgres({ durable: true });
  const rows: Speed[] = [];
  try {
    // Each on a database of its own: what was there before would slow the next one down.
    for (const judge of ['result', 'record', 'trial'] as const)
      for (const way of ['item', 'slice'] as const)
        for (const processes of isShort ? [1] : [1, 2])
          rows.push(await runOnce(await server.newDatabase(), way, judge, processes));
  } finally {
    await server.stop();
  }
  const times = (row: Speed) =>
    row.perSecond /
    rows.find(({ way, judge, processes }) => way === 'item' && judge === row.judge && processes === row.processes)!
      .perSecond;
  if (!asJson)
    console.log(
      `Items of a run through queue and ledger, a guard that answers at once (load before: ${decimals(before, 1)})\n\n${table(
        [
          'what is done',
          'a job is',
          'processes',
          'items',
          'put/s',
          'items/s',
          'times',
          'CPU ms an item',
          'of PostgreSQL',
        ],
        rows.map((row) => [
          judges[row.judge],
          row.way === 'item' ? 'an item' : 'a slice',
          row.processes,
          whole(row.items),
          whole(row.putPerSecond),
          whole(row.perSecond),
          decimals(times(row), 1),
          decimals(row.cpuMs, 2),
          row.postgresMs === null ? '' : decimals(row.postgresMs, 2),
        ]),
      )}\n`,
    );
  return rows;
}

async function runOnce(
  url: string,
  way: QueueOrder['way'],
  judge: QueueOrder['judge'],
  processes: number,
): Promise<Speed> {
  const items = scale(judge !== 'result' ? 2_000 : way === 'item' ? 4_000 : 40_000, 200);
  const plan = { ...(await planInstantRun()), ...(way === 'item' ? { slice: 1 } : {}) };
  const ledger = await openLedger({ url });
  const run = `run-${randomUUID()}`;
  await ledger.runs.startRun({
    id: run,
    name: null,
    job: 'moderation',
    configuration: 'bench',
    settings: plan,
    input: null,
  });
  const putting = performance.now();
  for (let from = 0; from < items; from += 500)
    await ledger.runs.putItems(
      run,
      Array.from({ length: Math.min(500, items - from) }, (_, index) => {
        const position = from + index + 1;
        const text = `${shortText(position)} (${run})`;
        return { position, key: `item-${position}`, hash: hashOf({ text }), input: { text } };
      }),
    );
  const put = performance.now() - putting;
  await ledger.runs.markLoaded(run, items);
  const order: QueueOrder = { url, run, way, judge, concurrency: 64 };
  const children = Array.from({ length: processes }, () =>
    startChild(new URL('./queue-process.ts', import.meta.url), JSON.stringify(order)),
  );
  await Promise.all(children.map((child) => messageOf(child)));
  const [began, used] = [performance.now(), readPostgresSeconds()];
  for (const child of children) child.send('begin');
  const ends = await Promise.all(children.map((child) => messageOf<{ cpuMs: number }>(child)));
  const seconds = (performance.now() - began) / 1_000;
  const usedThen = readPostgresSeconds();
  const { done } = await ledger.runs.countItems(run);
  if (done !== items) throw new Error(`${done} of ${items} items were judged`);
  await ledger.close();
  return {
    way,
    judge,
    processes,
    items,
    putPerSecond: items / (put / 1_000),
    perSecond: items / seconds,
    cpuMs: ends.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / items,
    postgresMs: used === null || usedThen === null ? null : ((usedThen - used) * 1_000) / items,
  };
}

async function measureWorkers(): Promise<(FleetSpeed & { times: number })[]> {
  const work = { atOnce: 4, itemsOfOne: scale(160, 12), latencyMs: 200 };
  const before = loadavg()[0]!;
  const rows: FleetSpeed[] = [];
  for (const workers of isShort ? [1, 2] : [1, 2, 4]) rows.push(await measureFleet({ workers, ...work }));
  const compared = rows.map((row) => ({ ...row, times: row.itemsPerSecond / rows[0]!.itemsPerSecond }));
  if (!asJson)
    console.log(
      `Workers, calls of ${work.latencyMs} ms, ${work.atOnce} items at once each (load before: ${decimals(before, 1)})\n\n${table(
        ['workers', 'items', 'items/s', 'of the ideal', 'times one', 'calls made twice'],
        compared.map((row) => [
          row.workers,
          whole(row.items),
          decimals(row.itemsPerSecond, 1),
          decimals(row.ofIdeal, 2),
          decimals(row.times, 2),
          row.repeated,
        ]),
      )}\n`,
    );
  return compared;
}

async function endure() {
  const items = scale(20_000, 1_000);
  const came = await surviveQueueOrdeal(items);
  if (!asJson)
    console.log(
      `${whole(items)} items, workers killed and stopped, the server restarted; ${whole(came.seconds)} s\n\n${table(
        ['', 'came', 'should be'],
        [
          ['results', whole(came.results), whole(items)],
          ['of different items', whole(came.keys), whole(items)],
          ['of different cases', whole(came.cases), whole(items)],
          ['cases on record', whole(came.casesOnRecord), whole(items)],
          ['failed', came.failed, 0],
          ['jobs left in the queue', came.jobsLeft, 0],
          ['workers killed', came.killed, came.killed],
          ['restarts of PostgreSQL', came.restarts, came.restarts],
        ],
      )}\n`,
    );
  return came;
}
