import { loadavg } from 'node:os';
import { measureFleet, type FleetSpeed } from '../test/support/fleet-scale.ts';
import { decimals, table, whole } from './table.ts';

/*
 * One to four workers on a real server of PostgreSQL, against a provider whose calls take 100 ms: `npm run bench:fleet [-- --json]`.
 * Each worker judges four items at once, debates of three calls of which two are made together; the ideal is what the
 * calls alone would take. Needs the built project (npm run build).
 */

const work = { atOnce: 4, itemsOfOne: 300, latencyMs: 100 };
const before = loadavg()[0]!;
const rows: FleetSpeed[] = [];
for (const workers of [1, 2, 4]) rows.push(await measureFleet({ workers, ...work }));

const times = ({ itemsPerSecond }: FleetSpeed) => itemsPerSecond / rows[0]!.itemsPerSecond;
if (process.argv.includes('--json')) console.log(JSON.stringify({ ...work, load: before, rows: rows.map((row) => ({ ...row, times: times(row) })) }, null, 2));
else {
  console.log(`Workers on PostgreSQL, calls of ${work.latencyMs} ms, ${work.atOnce} items at once each (load before: ${decimals(before, 1)})\n`);
  const cells = rows.map((row) => [row.workers, whole(row.items), decimals(row.itemsPerSecond, 1), whole(row.callsPerSecond), decimals(row.ofIdeal, 2), decimals(times(row), 2), row.repeated]);
  console.log(table(['workers', 'items', 'items/s', 'calls/s', 'of the ideal', 'times one', 'calls made twice'], cells));
}
