import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillLedger } from '@agonhq/lab/bench/many-cases.ts';
import { heardEvents } from '@agonhq/test/support/heard-events.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { until } from '@agonhq/test/support/until.ts';
import { isSigned, webhookReceiver, type WebhookReceiver } from '@agonhq/test/support/webhook-receiver.ts';
import { schemas } from '../api/index.ts';
import { openLedger, type Ledger } from '@agonhq/ledger';

/* Two servers on one ledger, with cases that were judged long ago. */

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const closers: (() => PromiseLike<unknown>)[] = [];
let file: string;
let ledgers: Ledger[];
let receiver: WebhookReceiver;

beforeEach(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-overdue-'));
  file = path.join(folder, 'ledger.sqlite');
  ledgers = [await openLedger({ file }), await openLedger({ file })];
  receiver = await webhookReceiver();
  closers.push(() => rm(folder, { recursive: true, force: true }), receiver.close);
  closers.push(...ledgers.map((ledger) => () => ledger.close()));
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function fillLongAgo(cases: number): Promise<void> {
  await fillLedger(ledgers[0]!, cases, { trials: false });
  using database = new DatabaseSync(file);
  const moment = '2026-01-01T00:00:00.000Z';
  for (const table of ['debates', 'listing']) database.exec(`update ${table} set opened_at = '${moment}'`);
  database.exec(`update verdicts set closed_at = '${moment}'`);
}

async function start(ledger: Ledger): Promise<ServerUnderTest> {
  const webhooks = [{ url: receiver.url, secret, events: ['overdue' as const] }];
  const server = await runningServer({ server: { webhooks } }, { ledger });
  closers.push(() => server[Symbol.asyncDispose]());
  return server;
}

test('what is overdue is told once, by webhook and to whoever listens, by one server, and not again after a restart', async () => {
  await fillLongAgo(60);
  const [one, other] = [await start(ledgers[0]!), await start(ledgers[1]!)];
  const listening = new AbortController();
  const news = heardEvents(await one.call('/api/events', { signal: listening.signal }));
  const queue = await said(
    one.call('/api/queues', { json: { name: 'Old', rules: {}, dueMinutes: 60 } }),
    schemas.queueSummary,
    201,
  );
  const { overdue } = queue;
  expect(overdue).toBeGreaterThan(2);
  const { value: heard } = await news.next();
  expect(heard).toMatchObject({ event: 'overdue', data: { queue: { id: queue.id, name: 'Old' }, assigned: null } });
  listening.abort();
  await until(() => receiver.received.length >= overdue);

  // The other looks too, and so does a server that comes after them.
  const change = (server: ServerUnderTest, to: object) =>
    said(server.call(`/api/queues/${queue.id}`, { method: 'PATCH', json: to }), schemas.queueSummary);
  await change(other, { assignees: ['ann'] });
  await one.close();
  await change(await start(ledgers[0]!), { assignees: [] });
  const told = () =>
    receiver.received.map(({ delivery }) => `${String(delivery.data['case'])} ${String(delivery.data['due'])}`);
  expect(new Set(told()).size).toBe(overdue);
  expect(told()).toHaveLength(overdue);
  const [first] = receiver.received;
  expect(isSigned(first!, secret)).toBe(true);
  expect(first!.delivery).toMatchObject({
    type: 'overdue',
    data: { job: 'moderation', stage: 'first', queue: { id: queue.id, name: 'Old' }, due: expect.any(String) },
  });

  // Another time by which they should have been decided is other news.
  await change(other, { dueMinutes: 120 });
  await until(() => receiver.received.length >= 2 * overdue);
  expect(new Set(told()).size).toBe(2 * overdue);
}, 120_000);

test('what became overdue while no server ran is told by the next one', async () => {
  await fillLongAgo(5);
  await ledgers[0]!.queues.createQueue({ name: 'Old', rules: {}, dueMinutes: 60, assignees: [] });
  await ledgers[0]!.queues.refillQueues();
  expect(receiver.received).toEqual([]);
  await start(ledgers[1]!);
  await until(() => receiver.received.length > 0);
  expect(receiver.received[0]!.delivery.type).toBe('overdue');
}, 120_000);
