import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedger } from '@agonhq/ledger';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { planDay } from './day-plan.ts';
import { reportDay } from './day-report.ts';
import { planEvents } from './events.ts';
import { countDay, simulateDay } from './simulate-day.ts';
import { openVirtualClock } from './virtual-clock.ts';

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()));
afterAll(() => server.stop());

const startMs = Date.UTC(2030, 0, 7);

const planOf = (seed: number) =>
  planDay({
    seed,
    items: 50_000,
    grain: 500,
    slice: 2,
    workers: 3,
    pace: 0.75,
    heartbeatMs: 600_000,
    tickMs: 1_200_000,
  });

async function playDay(seed: number) {
  const clock = await openVirtualClock(await server.newDatabase(), startMs);
  const ledger = await openLedger({ url: clock.url });
  try {
    const plan = planOf(seed);
    const record = await simulateDay(plan, { ledger, clock, startMs });
    return { report: reportDay(plan, record), put: record.put, counted: await countDay(ledger) };
  } finally {
    await ledger.close();
    await clock.close();
  }
}

test('a day with failures ends with one outcome for each item, and the same seed gives the same day', async () => {
  const first = await playDay(7);
  expect(first.counted).toEqual({ done: first.put - 1, failed: 1, left: 0 });
  expect(first.report.setAside).toBe(500);
  expect(first.report.triedAgain).toBeGreaterThan(0);
  expect(first.report.failures.map(({ at }) => at)).toEqual(['11:00', '14:00', '20:00']);
  expect(await playDay(7)).toEqual(first);
  expect(planOf(8).failures).not.toEqual(planOf(7).failures);
}, 180_000);

test('what happens at one moment happens in the order in which it was planned', () => {
  const events = planEvents<string>();
  for (const [at, name] of [
    [5, 'later'],
    [1, 'first'],
    [3, 'a'],
    [3, 'b'],
    [2, 'second'],
  ] as const)
    events.add(at, name);
  const order: string[] = [];
  for (let next = events.next(); next; next = events.next()) order.push(next.event);
  expect(order).toEqual(['first', 'second', 'a', 'b', 'later']);
});
