import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { hashOf } from '@agonhq/engine/hash';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { messageOf, startChild } from './children.ts';
import { shortText } from './embedded-texts.ts';
import { planInstantRun } from './instant-guard.ts';
import { readPostgresSeconds } from './postgres-time.ts';
import type { QueueOrder } from './queue-process.ts';
import { isShort, scale } from './scale.ts';
import { decimals, table, whole } from './table.ts';

/*
 * Counted are the items of one run, from the word to begin to the moment at which the last process has the last of them
 * written. Not counted: that they are put into the queue, which has a column of its own, and a run before it in which
 * every process judges as many items as it takes to be warm.
 */

const judges: Record<QueueOrder['judge'], string> = {
  result: 'items taken and ended',
  record: 'and their cases written',
  trial: 'and their trials held',
};

interface Measured {
  judge: QueueOrder['judge'];
  processes: number;
}

interface Speed extends Measured {
  items: number;
  putPerSecond: number;
  perSecond: number;
  /** For an item, of the workers and of the server; null where that cannot be told. */
  cpuMs: number;
  postgresMs: number | null;
}

/** How many each process judges before: it takes thousands until all of it is compiled. */
const warm = scale(4_000, 50);

/** With one process and two. A word on the command line picks a judge. */
export async function measureQueueSpeed(asJson: boolean): Promise<Speed[]> {
  const before = loadavg()[0]!;
  const all = Object.keys(judges) as QueueOrder['judge'][];
  const asked = all.filter((judge) => process.argv.includes(judge));
  const server = await startPostgres({ durable: true });
  const rows: Speed[] = [];
  try {
    // Each on a database of its own: what was there before would slow the next one down.
    for (const judge of asked.length > 0 ? asked : isShort ? (['trial'] as const) : all)
      for (const processes of isShort ? [1] : [1, 2])
        rows.push(await runOnce(await server.newDatabase(), { judge, processes }));
  } finally {
    await server.stop();
  }
  if (!asJson)
    console.log(
      `Items of a run through queue and ledger, a guard that answers at once (load before: ${decimals(before, 1)})\n\n${table(
        ['what is done', 'processes', 'items', 'put/s', 'items/s', 'CPU ms an item', 'of PostgreSQL'],
        rows.map((row) => [
          judges[row.judge],
          row.processes,
          whole(row.items),
          whole(row.putPerSecond),
          whole(row.perSecond),
          decimals(row.cpuMs, 2),
          row.postgresMs === null ? '' : decimals(row.postgresMs, 2),
        ]),
      )}\n`,
    );
  return rows;
}

async function runOnce(url: string, measured: Measured): Promise<Speed> {
  const { judge, processes } = measured;
  const items = scale(judge === 'result' ? 40_000 : 20_000, 200);
  const plan = await planInstantRun();
  const ledger = await openLedger({ url });
  const warming = await putRun(ledger, plan, warm * processes);
  const putting = performance.now();
  const run = await putRun(ledger, plan, items);
  const put = performance.now() - putting;
  const order: QueueOrder = { url, warming, run, judge, concurrency: 64 };
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
    ...measured,
    items,
    putPerSecond: items / (put / 1_000),
    perSecond: items / seconds,
    cpuMs: ends.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / items,
    postgresMs: used === null || usedThen === null ? null : ((usedThen - used) * 1_000) / items,
  };
}

/** A run whose items wait. */
export async function putRun(ledger: Ledger, plan: unknown, items: number): Promise<string> {
  const run = `run-${randomUUID()}`;
  await ledger.runs.startRun({
    id: run,
    name: null,
    job: 'moderation',
    configuration: 'bench',
    settings: plan,
    input: null,
  });
  for (let from = 0; from < items; from += 500)
    await ledger.runs.putItems(
      run,
      Array.from({ length: Math.min(500, items - from) }, (_, index) => {
        const position = from + index + 1;
        const text = `${shortText(position)} (${run})`;
        return { position, key: `item-${position}`, hash: hashOf({ text }), input: { text } };
      }),
    );
  await ledger.runs.markLoaded(run, items);
  return run;
}
