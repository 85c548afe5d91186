import { loadavg } from 'node:os';
import { measureFleet, type FleetSpeed } from '@agonhq/test/support/fleet-scale.ts';
import { surviveQueueOrdeal } from '@agonhq/test/support/queue-ordeal.ts';
import { measureQueueSpeed } from './queue-speed.ts';
import { measureQueueWorkers } from './queue-workers.ts';
import { isShort, scale } from './scale.ts';
import { decimals, table, whole } from './table.ts';

/*
 * Items a second through the queue and the ledger on PostgreSQL, of a run that a guard decides which answers at once.
 * Then one to four workers where a reasoner of 200 ms is the limit, and what becomes of 20,000 items when workers are
 * killed and stopped and the server restarts: `npm run bench:queue [-- speed [result | record | trial] | workers |
 * ordeal] [--json]`. Workers and ordeal need the built project (npm run build). It ends with 1 where an item of the
 * ordeal was lost, came twice or failed.
 */

const sections = ['speed', 'workers', 'ordeal'] as const;
const asked = sections.filter((section) => process.argv.includes(section));
// The tests survive the ordeal each time, and bench:fleet measures workers shortly.
const wanted = new Set(asked.length > 0 ? asked : isShort ? ['speed'] : sections);

const asJson = process.argv.includes('--json');
const results: Record<string, unknown> = { load: loadavg()[0] };

if (wanted.has('speed')) results['speed'] = await measureQueueSpeed(asJson);
if (wanted.has('workers')) {
  results['workers'] = await measureQueueWorkers(asJson);
  results['debates'] = await measureDebates();
}
if (wanted.has('ordeal')) results['ordeal'] = await endure();
if (asJson) console.log(JSON.stringify(results, null, 2));

/** The same where each item is a debate of three calls over HTTP, which takes more of the cores. */
async function measureDebates(): Promise<(FleetSpeed & { times: number })[]> {
  const work = { atOnce: 4, itemsOfOne: scale(160, 12), latencyMs: 200 };
  const before = loadavg()[0]!;
  const rows: FleetSpeed[] = [];
  for (const workers of isShort ? [1, 2] : [1, 2, 4]) rows.push(await measureFleet({ workers, ...work }));
  const compared = rows.map((row) => ({ ...row, times: row.itemsPerSecond / rows[0]!.itemsPerSecond }));
  if (!asJson)
    console.log(
      `Workers, debates of calls of ${work.latencyMs} ms, ${work.atOnce} items at once each (load before: ${decimals(before, 1)})\n\n${table(
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
          ['workers killed', came.killed, came.killed],
          ['restarts of PostgreSQL', came.restarts, came.restarts],
        ],
      )}\n`,
    );
  const each = [came.results, came.keys, came.cases, came.casesOnRecord];
  if (each.some((count) => count !== items) || came.failed > 0) process.exitCode = 1;
  return came;
}
