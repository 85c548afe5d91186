import { loadavg } from 'node:os';
import { ordeal, surviveOrdeal } from '@agonhq/test/support/fleet-ordeal.ts';
import { measureFleet, type FleetSpeed } from '@agonhq/test/support/fleet-scale.ts';
import { decimals, table, whole } from './table.ts';
import { isShort, scale } from './scale.ts';

/*
 * One to four workers on a real server of PostgreSQL, against a provider whose calls take 100 ms, and what becomes of
 * a run when workers die and the server restarts: `npm run bench:fleet [-- speed | ordeal] [--json]`. Each worker
 * judges four items at once, debates of three calls of which two are made together; the ideal is what the calls alone
 * would take. Needs the built project (npm run build).
 */

const work = { atOnce: 4, itemsOfOne: scale(300, 12), latencyMs: 100 };
const asJson = process.argv.includes('--json');
if (!process.argv.includes('ordeal')) await speed();
// test/cli/fleet.test.ts survives it, too (npm run test:all).
if (!process.argv.includes('speed') && !isShort) await endurance();

async function speed(): Promise<void> {
  const before = loadavg()[0]!;
  const rows: FleetSpeed[] = [];
  for (const workers of isShort ? [2] : [1, 2, 4]) rows.push(await measureFleet({ workers, ...work }));
  const times = ({ itemsPerSecond }: FleetSpeed) => itemsPerSecond / rows[0]!.itemsPerSecond;
  if (asJson) {
    console.log(
      JSON.stringify({ ...work, load: before, rows: rows.map((row) => ({ ...row, times: times(row) })) }, null, 2),
    );
    return;
  }
  console.log(
    `Workers on PostgreSQL, calls of ${work.latencyMs} ms, ${work.atOnce} items at once each (load before: ` +
      `${decimals(before, 1)})\n`,
  );
  const cells = rows.map((row) => [
    row.workers,
    whole(row.items),
    decimals(row.itemsPerSecond, 1),
    whole(row.callsPerSecond),
    decimals(row.ofIdeal, 2),
    decimals(times(row), 2),
    row.repeated,
  ]);
  console.log(
    `${table(['workers', 'items', 'items/s', 'calls/s', 'of the ideal', 'times one', 'calls made twice'], cells)}\n`,
  );
}

async function endurance(): Promise<void> {
  const items = 2_000;
  const came = await surviveOrdeal(items);
  if (asJson) {
    console.log(JSON.stringify(came, null, 2));
    return;
  }
  console.log(
    `${whole(items)} items, three workers: one killed, one stopped and continued, the server restarted; ${whole(came.seconds)} ` +
      's\n',
  );
  const { calls } = came;
  const inHand = ordeal.itemsOfAWorker * ordeal.callsAtOnce;
  console.log(
    table(
      ['', 'came', 'may be'],
      [
        ['results', whole(came.results), whole(items)],
        ['of different items', whole(came.keys), whole(items)],
        ['calls made again of the killed worker', calls.repeated.killed, inHand],
        ['of the stopped one', calls.repeated.stopped, inHand],
        ['all others', calls.repeated.others, 0],
        ['calls at once, at most', calls.mostAtOnce, ordeal.concurrency],
        ['calls in the busiest minute', whole(calls.busiestMinute), whole(ordeal.requestsPerMinute)],
      ],
    ),
  );
}
