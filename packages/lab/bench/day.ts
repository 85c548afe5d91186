import { parseArgs } from 'node:util';
import { openLedger } from '@agonhq/ledger';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { planDay, rateAt, type DayPlan } from './day/day-plan.ts';
import { reportDay, type DayReport } from './day/day-report.ts';
import { countDay, simulateDay } from './day/simulate-day.ts';
import { openVirtualClock } from './day/virtual-clock.ts';
import { isShort } from './scale.ts';
import { decimals, table, whole } from './table.ts';

/*
 * A day of a stream, played at speed: `npm run bench:day [-- --items 100000000 --seed 7 --grain 2500] [--json]`. The queue is the real one
 * on a real PostgreSQL, whose clock is moved by hand; items come by a curve with a peak of three times the mean, workers
 * manage what was measured of them, and workers and the database fail. Exits with 1 when an item is lost or has two
 * outcomes.
 */

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: isShort ? '300000' : '100000000' },
    seed: { type: 'string', default: '7' },
    grain: { type: 'string', default: isShort ? '500' : '2500' },
    json: { type: 'boolean', default: false },
    short: { type: 'boolean' },
  },
});
const coresOfWorker = isShort ? 2 : 16;
/** Of the guard for an item of 400 bytes (docs/scale.md, "The arithmetic"). */
const coreMs = 66;
/** Workers beyond what the peak needs. */
const reserve = 1.15;
const startMs = Date.UTC(2030, 0, 7);

const items = Number(values.items);
const pace = (coresOfWorker * 1_000) / coreMs;
const plan = planDay({
  seed: Number(values.seed),
  items,
  grain: Number(values.grain),
  slice: 2,
  workers: Math.ceil((rateAt(items, 20 * 3_600_000) * reserve) / pace),
  pace,
  heartbeatMs: 60_000,
  tickMs: isShort ? 600_000 : 15_000,
});

const server = await startPostgres();
const began = performance.now();
try {
  const clock = await openVirtualClock(await server.newDatabase(), startMs);
  const ledger = await openLedger({ url: clock.url });
  const onHour = (hour: number) => {
    if (process.stderr.isTTY)
      process.stderr.write(`\r${hour}:00 of the day, ${whole((performance.now() - began) / 1_000)} s`);
  };
  const record = await simulateDay(plan, { ledger, clock, startMs, onHour });
  const counted = await countDay(ledger);
  await ledger.close();
  await clock.close();
  const report = reportDay(plan, record);
  const isWhole =
    counted.done === record.ended.length &&
    counted.failed === record.setAside &&
    counted.left === 0 &&
    record.put === counted.done + counted.failed;
  if (values.json) console.log(JSON.stringify({ plan, report, counted, isWhole }, null, 2));
  else print(plan, report, isWhole, (performance.now() - began) / 1_000);
  if (!isWhole) process.exitCode = 1;
} finally {
  await server.stop();
}

function print(day: DayPlan, report: DayReport, isWhole: boolean, seconds: number): void {
  const duration = (ms: number) => (ms < 60_000 ? `${decimals(ms / 1_000, 1)} s` : `${decimals(ms / 60_000, 1)} min`);
  console.log(
    `\n${whole(report.items)} items in a day (seed ${day.seed}), ${day.workers} workers of ${coresOfWorker} cores at ` +
      `${whole(day.pace)} items a second each; a row of the queue is ${whole(day.grain)} items. Played in ${whole(seconds)} s.\n`,
  );
  console.log(
    `${table(
      ['hour', 'came', 'deepest queue', 'p50', 'p99'],
      report.hours.map(({ hour, came, deepest, p50Ms, p99Ms }) => [
        hour,
        whole(came),
        whole(deepest),
        duration(p50Ms),
        duration(p99Ms),
      ]),
    )}\n`,
  );
  console.log(
    `${table(
      ['failure', 'at', 'for', 'deepest queue', 'oldest item', 'worked off after'],
      report.failures.map(({ what, at, awayMs, deepest, oldestMs, recoveredMs }) => [
        what,
        at,
        awayMs === 0 ? '' : duration(awayMs),
        whole(deepest),
        duration(oldestMs),
        recoveredMs === null ? 'never' : duration(recoveredMs),
      ]),
    )}\n`,
  );
  const { p50, p90, p99, p999, most } = report.latencyMs;
  console.log(
    `From coming to verdict: p50 ${duration(p50)}, p90 ${duration(p90)}, p99 ${duration(p99)}, p99.9 ${duration(p999)}, ` +
      `at most ${duration(most)}. ${day.workers} single workers were lost as well; ${whole(report.triedAgain)} items were ` +
      `begun by workers that were lost and tried again, ${whole(report.setAside)} set aside.`,
  );
  console.log(isWhole ? 'Every item has one outcome.' : 'ITEMS WERE LOST, OR HAVE TWO OUTCOMES.');
}
