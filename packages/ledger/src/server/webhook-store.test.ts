import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { openLedger, type Ledger, type WebhookStore } from '../index.ts';

let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  server = await startPostgres();
  folder = await mkdtemp(path.join(tmpdir(), 'agon-webhook-store-'));
}, 60_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

describe.each(['sqlite', 'postgresql'] as const)('webhooks on %s', (kind) => {
  let ledger: Ledger;
  let store: WebhookStore;
  let number = 0;
  beforeEach(async () => {
    number += 1;
    ledger = await openLedger(
      kind === 'sqlite' ? { file: path.join(folder, `${number}.db`) } : { url: await server.newLedger() },
    );
    store = ledger.webhooks;
  }, 60_000);
  afterEach(() => ledger.close());

  const delivery = (id: string, webhook = 'hook') => ({
    id,
    webhook,
    event: 'verdict',
    payload: { id, words: 'ä "quoted"' },
  });
  const findDelivery = async (id: string, webhook = 'hook') =>
    (await store.listDeliveries(webhook, { limit: 9 })).rows.find((row) => row.id === id);
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
  const soon = () => new Date(Date.now() - 1);

  test('are kept once, disabled with a reason, enabled again, and removed with their deliveries', async () => {
    const made = {
      id: 'hook',
      url: 'https://example.com/',
      events: ['verdict'],
      secret: 'whsec_x',
      createdAt: new Date('2026-01-01T00:00:00Z'),
    };
    await store.keepWebhook(made);
    await store.keepWebhook(made);
    expect(await store.listWebhooks()).toEqual([{ ...made, disabledAt: null, problem: null }]);
    await store.disableWebhook('hook', 'It is gone.');
    await store.disableWebhook('hook', 'It is gone for another reason.');
    expect(await store.findWebhook('hook')).toMatchObject({ disabledAt: expect.any(Date), problem: 'It is gone.' });
    await store.enableWebhook('hook');
    expect(await store.findWebhook('hook')).toMatchObject({ disabledAt: null, problem: null });
    await store.enqueueDeliveries([delivery('a')]);
    await store.removeWebhook('hook');
    expect(await store.findWebhook('hook')).toBeUndefined();
    expect(await findDelivery('a')).toBeUndefined();
  });

  test('a delivery is taken by one, for a while, and only for its own webhook', async () => {
    await store.enqueueDeliveries([delivery('a'), delivery('b'), delivery('c', 'other')]);
    await store.enqueueDeliveries([delivery('a')]);
    const taken = await Promise.all([
      store.takeDueDeliveries('hook', 1, 60_000),
      store.takeDueDeliveries('hook', 1, 60_000),
      store.takeDueDeliveries('hook', 1, 60_000),
    ]);
    expect(ids(taken.flat())).toEqual(['a', 'b']);
    expect(taken.flat()).toMatchObject([{ attempts: 1, payload: { words: 'ä "quoted"' } }, { attempts: 1 }]);
    expect(ids(await store.takeDueDeliveries('other', 5, 0))).toEqual(['c']);
    expect(await store.takeDueDeliveries('other', 5, 0)).toMatchObject([{ id: 'c', attempts: 2 }]);
  });

  test('what came of deliveries is put on record together, each as it ended', async () => {
    await store.enqueueDeliveries(['a', 'b', 'c', 'd'].map((id) => delivery(id)));
    await store.takeDueDeliveries('hook', 4, 60_000);
    const delivered = { state: 'delivered' as const, status: 204, error: null, dueAt: null, attempts: 1 };
    await store.settleDeliveries([
      { id: 'a', ...delivered },
      { id: 'b', ...delivered },
      { id: 'c', state: 'waiting', status: 500, error: 'It answered with 500.', dueAt: soon(), attempts: 1 },
      { id: 'd', state: 'failed', status: null, error: 'No.', dueAt: null, attempts: 1 },
    ]);
    await store.settleDeliveries([]);
    expect(ids((await store.listDeliveries('hook', { state: 'delivered', limit: 9 })).rows)).toEqual(['a', 'b']);
    expect(await findDelivery('d')).toMatchObject({ state: 'failed', error: 'No.', endedAt: expect.any(Date) });
    expect(await store.takeDueDeliveries('hook', 4, 60_000)).toMatchObject([
      { id: 'c', attempts: 2, status: 500, endedAt: null },
    ]);
  });

  test('all that waits for a webhook can be given up, and that its last ones failed is known', async () => {
    await store.keepDelivery({
      ...delivery('a'),
      state: 'delivered',
      attempts: 1,
      status: 204,
      error: null,
      dueAt: null,
      createdAt: new Date('2026-01-01T00:00:00Z'),
      endedAt: new Date('2026-01-01T00:00:01Z'),
    });
    await store.enqueueDeliveries([delivery('b'), delivery('c'), delivery('d', 'other')]);
    expect(await store.haveLastFailed('hook', 1)).toBe(false);
    await store.abandonDeliveries('hook', 'It was disabled.');
    expect(await findDelivery('b')).toMatchObject({ state: 'failed', error: 'It was disabled.', dueAt: null });
    expect(await findDelivery('a')).toMatchObject({ state: 'delivered' });
    expect(await findDelivery('d', 'other')).toMatchObject({ state: 'waiting' });
    expect(await store.haveLastFailed('hook', 2)).toBe(true);
    expect(await store.haveLastFailed('hook', 3)).toBe(false);
  });

  test('pages lead from the newest to the oldest, and what is old is taken away', async () => {
    for (const day of [1, 2, 3])
      await store.keepDelivery({
        ...delivery(`of-day-${day}`),
        state: 'delivered',
        attempts: 1,
        status: 204,
        error: null,
        dueAt: null,
        createdAt: new Date(`2026-01-0${day}T00:00:00Z`),
        endedAt: new Date(`2026-01-0${day}T00:00:01Z`),
      });
    await store.enqueueDeliveries([delivery('waiting')]);
    const first = await store.listDeliveries('hook', { limit: 2 });
    expect(first.rows.map(({ id }) => id)).toEqual(['waiting', 'of-day-3']);
    expect((await store.listDeliveries('hook', { limit: 2, after: first.next })).rows.map(({ id }) => id)).toEqual([
      'of-day-2',
      'of-day-1',
    ]);
    expect(await store.pruneDeliveries(new Date('2026-01-03T00:00:00Z'))).toBe(2);
    expect((await store.listDeliveries('hook', { limit: 9 })).rows.map(({ id }) => id)).toEqual([
      'waiting',
      'of-day-3',
    ]);
    expect(await store.pruneDeliveries(new Date(Date.now() + 60_000))).toBe(2);
  });
});
