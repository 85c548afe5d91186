import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isWhole } from '@agonhq/test/support/slow.ts';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { isSigned, webhookReceiver, type Answer, type WebhookReceiver } from '@agonhq/test/support/webhook-receiver.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { openLedger, type Ledger } from '@agonhq/ledger';
import type { ServerSettings } from '@agonhq/core/settings';
import type { LogLine } from '../log.ts';
import { openEventFeed, type FeedEvent } from '../event-feed.ts';
import { openOutbound } from '../outbound/outbound.ts';
import { openWebhooks, type Webhooks } from './webhooks.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const at = '2026-01-01T00:00:00.000Z';
const verdict = (id: string): FeedEvent => ({
  type: 'verdict',
  at,
  case: {
    id,
    item: 'post-1',
    job: 'moderation',
    label: 'unsafe',
    risk: 0.9,
    bar: 0.5,
    escalate: false,
    rule: 'risk-confirmation',
    categories: ['weapons'],
    clauses: ['weapons.make'],
    action: 'remove',
    severity: 'high',
    degraded: false,
    run: null,
    seal: null,
  },
});
const decision: FeedEvent = {
  type: 'decision',
  at,
  case: 'case-1',
  item: 'post-1',
  label: 'safe',
  verdict: 'unsafe',
  clauses: [],
  action: 'allow',
  proposed: 'remove',
  by: 'maria',
};

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 50_000, interval: 20 });

const ends: (() => Promise<unknown>)[] = [];
let folder: string;
let ledger: Ledger;
let log: LogLine[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-webhooks-'));
  ledger = await openLedger({ file: path.join(folder, 'ledger.db') });
  log = [];
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

async function receiver(answers?: readonly Answer[], port?: number): Promise<WebhookReceiver> {
  const made = await webhookReceiver(answers, port);
  ends.push(made.close);
  return made;
}

interface Office extends Webhooks {
  tell(item: FeedEvent): void;
}

/** The webhooks of a server. */
async function office(
  told: readonly (Pick<WebhookReceiver, 'url'> & {
    events?: NonNullable<ServerSettings['webhooks']>[number]['events'];
  })[],
  { pauses = [50, 50, 50], on = ledger }: { pauses?: number[]; on?: Pick<Ledger, 'webhooks'> } = {},
): Promise<Office> {
  const feed = openEventFeed();
  const settings: ServerSettings = {
    webhooks: told.map(({ url, events }) => ({ url, secret, ...(events ? { events } : {}) })),
  };
  const webhooks = await openWebhooks({
    ledger: on,
    feed,
    outbound: openOutbound(settings),
    settings,
    log: (line) => log.push(line),
    pauses,
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= webhooks.close());
  ends.push(close);
  return { ...webhooks, close, tell: feed.publish };
}

async function deliveriesOf(webhooks: Webhooks, state?: 'waiting' | 'delivered' | 'failed') {
  const [first] = await webhooks.list();
  return (await webhooks.deliveries(first!.id, { limit: 200, ...(state ? { state } : {}) })).rows;
}

describe('a delivery', () => {
  test('says what happened, without what was judged, and is signed', async () => {
    const hook = await receiver();
    (await office([hook])).tell(verdict('case-1'));
    await eventually(() => expect(hook.received).toHaveLength(1));
    const [{ headers, delivery, body }] = hook.received as [WebhookReceiver['received'][number]];
    expect(delivery).toEqual({
      id: headers['webhook-id'],
      type: 'verdict',
      created_at: at,
      data: { case: (verdict('case-1') as { case: object }).case },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^agon\/\d/),
    });
    expect(isSigned({ headers, body }, secret)).toBe(true);
    expect(isSigned({ headers, body }, `whsec_${Buffer.from('another secret').toString('base64')}`)).toBe(false);
  });

  test('goes only to those who want such news; verdicts, unless they say otherwise', async () => {
    const [verdicts, decisions, both] = [await receiver(), await receiver(), await receiver()];
    const { tell } = await office([
      verdicts,
      { ...decisions, events: ['decision'] },
      { ...both, events: ['verdict', 'decision'] },
    ]);
    tell(decision);
    tell(verdict('case-1'));
    await eventually(() =>
      expect(both.received.map(({ delivery }) => delivery.type).sort()).toEqual(['decision', 'verdict']),
    );
    await eventually(() => expect(verdicts.received.map(({ delivery }) => delivery.type)).toEqual(['verdict']));
    await eventually(() =>
      expect(decisions.received.map(({ delivery }) => delivery.data)).toEqual([
        {
          case: 'case-1',
          item: 'post-1',
          label: 'safe',
          verdict: 'unsafe',
          clauses: [],
          action: 'allow',
          proposed: 'remove',
          by: 'maria',
        },
      ]),
    );
  });

  test('is not sent again once it was taken', async () => {
    const hook = await receiver([202]);
    const webhooks = await office([hook], { pauses: [1, 1, 1] });
    webhooks.tell(verdict('case-1'));
    await eventually(async () =>
      expect(await deliveriesOf(webhooks)).toMatchObject([
        { state: 'delivered', attempts: 1, status: 202, error: null, dueAt: null },
      ]),
    );
    await new Promise((done) => setTimeout(done, 200));
    expect(hook.received).toHaveLength(1);
  });

  test('is tried again after a failure, under the same id and with a fresh signature', async () => {
    const hook = await receiver([500, 302, 200]);
    const webhooks = await office([hook]);
    webhooks.tell(verdict('case-1'));
    await eventually(async () =>
      expect(await deliveriesOf(webhooks, 'delivered')).toMatchObject([{ attempts: 3, status: 200 }]),
    );
    expect(new Set(hook.received.map(({ delivery }) => delivery.id)).size).toBe(1);
    expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1);
    expect(hook.received.every((each) => isSigned(each, secret))).toBe(true);
  });

  test('is tried again after a connection that was refused', async () => {
    const gone = await webhookReceiver();
    await gone.close();
    const webhooks = await office([gone], { pauses: [100, 200, 400, 800] });
    webhooks.tell(verdict('case-1'));
    await eventually(async () =>
      expect(await deliveriesOf(webhooks, 'waiting')).toMatchObject([
        { status: null, error: 'The webhook cannot be reached: the connection was refused.' },
      ]),
    );
    const back = await receiver([204], gone.port);
    await eventually(() => expect(back.received).toHaveLength(1));
  });

  test('waits as long as its receiver asks for', async () => {
    const hook = await receiver([{ status: 503, headers: { 'retry-after': '1' } }, 200]);
    (await office([hook], { pauses: [10] })).tell(verdict('case-1'));
    await eventually(() => expect(hook.received).toHaveLength(2));
    expect(hook.received[1]!.at - hook.received[0]!.at).toBeGreaterThan(900);
  });

  test('fails for good after the last attempt, and says how', async () => {
    const hook = await receiver([500]);
    const webhooks = await office([hook], { pauses: [10, 10] });
    webhooks.tell(verdict('case-1'));
    await eventually(async () =>
      expect(await deliveriesOf(webhooks, 'failed')).toMatchObject([
        { attempts: 3, status: 500, error: 'It answered with 500.', dueAt: null },
      ]),
    );
    expect(hook.received).toHaveLength(3);
  });

  test('that was given up is sent once more when somebody says so, under the same id', async () => {
    const hook = await receiver([500, 500, 204]);
    const webhooks = await office([hook], { pauses: [10] });
    webhooks.tell(verdict('case-1'));
    await eventually(async () => expect(await deliveriesOf(webhooks, 'failed')).toHaveLength(1));
    const { id, webhook } = (await deliveriesOf(webhooks))[0]!;
    expect(await webhooks.retry(webhook, id)).toMatchObject({ id, state: 'waiting', attempts: 0, endedAt: null });
    await eventually(async () =>
      expect(await deliveriesOf(webhooks)).toMatchObject([{ id, state: 'delivered', attempts: 1, status: 204 }]),
    );
    expect(hook.received.map(({ delivery }) => delivery.id)).toEqual([id, id, id]);
    await expect(webhooks.retry(webhook, id), 'it was delivered').rejects.toMatchObject({ code: 'unknown-delivery' });
    await expect(webhooks.retry('nobody', id)).rejects.toMatchObject({ code: 'unknown-webhook' });
  });

  test('to a receiver that is told no more is not sent again before a test arrived', async () => {
    const hook = await receiver([410]);
    const webhooks = await office([hook]);
    webhooks.tell(verdict('case-1'));
    await eventually(async () => expect((await webhooks.list())[0]!.disabledAt).not.toBeNull());
    const { id, webhook } = (await deliveriesOf(webhooks))[0]!;
    await expect(webhooks.retry(webhook, id)).rejects.toMatchObject({ code: 'webhook-off' });
  });

  test('that waited is made by the next server', async () => {
    const gone = await webhookReceiver();
    await gone.close();
    const first = await office([gone], { pauses: [300] });
    first.tell(verdict('case-1'));
    await eventually(async () =>
      expect(await deliveriesOf(first, 'waiting')).toMatchObject([
        { attempts: 1, error: expect.stringContaining('refused') },
      ]),
    );
    await first.close();
    const back = await receiver([204], gone.port);
    const second = await office([back]);
    await eventually(async () =>
      expect(await deliveriesOf(second)).toMatchObject([{ state: 'delivered', attempts: 2 }]),
    );
    expect(back.received).toHaveLength(1);
  });

  test('on its way when the server stops arrives, or is made by the next one', async () => {
    const [slow, quick] = [await receiver(['nothing', 204]), await receiver()];
    const first = await office([slow, quick]);
    first.tell(verdict('case-1'));
    await eventually(() => expect(slow.received).toHaveLength(1));
    // It comes to its end, though the slow one never answers.
    await first.close();
    expect(quick.received).toHaveLength(1);
    await office([slow, quick]);
    await eventually(() => expect(slow.received).toHaveLength(2));
    expect(slow.received[1]!.delivery.id).toBe(slow.received[0]!.delivery.id);
    expect(quick.received).toHaveLength(1);
  });

  test('told in the moment the server stops is put on record', async () => {
    const hook = await receiver();
    const first = await office([hook]);
    first.tell(verdict('case-1'));
    await first.close();
    await office([hook]);
    await eventually(() => expect(hook.received).toHaveLength(1));
  });
});

describe('a receiver', () => {
  test('that hangs does not hold up the others', async () => {
    const [hanging, quick] = [await receiver(['nothing']), await receiver()];
    const { tell } = await office([hanging, quick]);
    for (let number = 0; number < 60; number += 1) tell(verdict(`case-${number}`));
    await eventually(() => expect(quick.received).toHaveLength(60));
    expect(hanging.received).toHaveLength(4);
  });

  test('that answers 410 is told no more', async () => {
    const hook = await receiver([410]);
    const webhooks = await office([hook]);
    webhooks.tell(verdict('case-1'));
    await eventually(async () =>
      expect(await webhooks.list()).toMatchObject([
        { disabledAt: expect.any(Date), problem: expect.stringContaining('410') },
      ]),
    );
    webhooks.tell(verdict('case-2'));
    await new Promise((done) => setTimeout(done, 200));
    expect(hook.received).toHaveLength(1);
    expect(await deliveriesOf(webhooks)).toMatchObject([{ state: 'failed', attempts: 1, status: 410 }]);
  });

  test('of whom ten deliveries in a row failed for good is told no more, and the list says why', async () => {
    const hook = await receiver([500]);
    const webhooks = await office([hook], { pauses: [5] });
    for (let number = 0; number < 12; number += 1) webhooks.tell(verdict(`case-${number}`));
    await eventually(async () =>
      expect(await webhooks.list()).toMatchObject([
        {
          disabledAt: expect.any(Date),
          problem: '10 deliveries in a row failed for good, the last one so: It answered with 500.',
        },
      ]),
    );
    await eventually(async () => expect(await deliveriesOf(webhooks, 'failed')).toHaveLength(12));
    await eventually(() => expect(log.filter(({ event }) => event === 'webhook-disabled')).toHaveLength(1));
  });

  test('that takes one of ten is told on', async () => {
    const hook = await receiver([
      ...Array.from({ length: 9 }, () => 500),
      200,
      ...Array.from({ length: 9 }, () => 500),
      200,
    ]);
    const webhooks = await office([hook], { pauses: [] });
    for (let number = 0; number < 20; number += 1) {
      webhooks.tell(verdict(`case-${number}`));
      await eventually(async () =>
        expect(await deliveriesOf(webhooks)).toSatisfy(
          (rows: { state: string }[]) => rows.length === number + 1 && rows.every(({ state }) => state !== 'waiting'),
        ),
      );
    }
    expect(await webhooks.list()).toMatchObject([{ disabledAt: null, problem: null }]);
  });

  test('that takes a test is told again', async () => {
    const hook = await receiver([410, 200]);
    const webhooks = await office([hook]);
    webhooks.tell(verdict('case-1'));
    await eventually(async () => expect(await webhooks.list()).toMatchObject([{ disabledAt: expect.any(Date) }]));
    const { id } = (await webhooks.list())[0]!;
    expect(await webhooks.test(id, new AbortController().signal)).toMatchObject({
      event: 'test',
      state: 'delivered',
      status: 200,
      attempts: 1,
    });
    webhooks.tell(verdict('case-2'));
    await eventually(() =>
      expect(hook.received.map(({ delivery }) => delivery.type)).toEqual(['verdict', 'test', 'verdict']),
    );
    expect(await webhooks.list()).toMatchObject([{ disabledAt: null, problem: null }]);
  });
});

test('hundreds of verdicts at once are told with a few writes', async () => {
  const verdicts = isWhole ? 1_000 : 300;
  const hook = await receiver();
  const enqueue = vi.spyOn(ledger.webhooks, 'enqueueDeliveries');
  const { tell } = await office([hook]);
  for (let number = 0; number < verdicts; number += 1) tell(verdict(`case-${number}`));
  expect(enqueue, 'who tells does not wait for a write').not.toHaveBeenCalled();
  await eventually(() => expect(new Set(hook.received.map(({ delivery }) => delivery.id)).size).toBe(verdicts));
  expect(hook.received).toHaveLength(verdicts);
  expect(enqueue.mock.calls.length).toBeLessThanOrEqual(3);
});

test('a ledger that is away for a while is waited for, and said in the log', async () => {
  const hook = await receiver();
  let away = true;
  const store = new Proxy(ledger.webhooks, {
    get(target, name: keyof Ledger['webhooks']) {
      return away
        ? () => Promise.reject(new AgonError('ledger-unreachable', 'The ledger is away.', 'Wait.'))
        : target[name];
    },
  });
  const { tell } = await office([hook], { on: { webhooks: store } });
  tell(verdict('case-1'));
  await eventually(() =>
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'webhooks',
        problem: 'deliveries cannot be put on record',
        waiting: 1,
        code: 'ledger-unreachable',
      }),
    ),
  );
  away = false;
  await eventually(() => expect(hook.received).toHaveLength(1));
});

test('what ended more than thirty days ago is taken away, and what waits for nobody', async () => {
  const hook = await receiver();
  const webhooks = await office([hook]);
  webhooks.tell(verdict('case-1'));
  await eventually(async () => expect(await deliveriesOf(webhooks, 'delivered')).toHaveLength(1));
  await ledger.webhooks.enqueueDeliveries([
    { id: 'delivery-of-nobody', webhook: 'config-gone', event: 'verdict', payload: {} },
  ]);
  expect(await ledger.webhooks.pruneDeliveries(new Date(Date.now() - 30_000))).toBe(0);
  expect(await ledger.webhooks.pruneDeliveries(new Date(Date.now() + 1_000))).toBe(2);
  expect(await deliveriesOf(webhooks)).toEqual([]);
});

test('neither secrets nor addresses of receivers are in the log', async () => {
  const hook = await receiver([500, 410]);
  const webhooks = await office([{ url: hook.url.replace('http://', 'http://user:hidden@') }], { pauses: [10] });
  webhooks.tell(verdict('case-1'));
  await eventually(() => expect(log.map(({ event }) => event)).toContain('webhook-disabled'));
  expect(hook.received[0]!.headers.authorization).toBe(`Basic ${Buffer.from('user:hidden').toString('base64')}`);
  expect(JSON.stringify([log, await webhooks.list(), await deliveriesOf(webhooks)])).not.toMatch(
    /MfKQ9r8|hidden|a word of the receiver/,
  );
  expect(JSON.stringify(log)).not.toContain('127.0.0.1');
});

describe('two servers on one PostgreSQL', () => {
  const postgres = startPostgres();
  afterAll(async () => (await postgres).stop(), 60_000);

  test('make every delivery once, whoever told it', async () => {
    const url = await (await postgres).newLedger();
    const [one, two] = [await openLedger({ url }), await openLedger({ url })];
    ends.push(
      () => one.close(),
      () => two.close(),
    );
    const hook = await receiver();
    const [first, second] = [await office([hook], { on: one }), await office([hook], { on: two })];
    for (let number = 0; number < 100; number += 1) (number % 2 === 0 ? first : second).tell(verdict(`case-${number}`));
    await eventually(async () => expect(await deliveriesOf(first, 'delivered')).toHaveLength(100));
    expect(new Set(hook.received.map(({ delivery }) => JSON.stringify(delivery.data))).size).toBe(100);
    expect(hook.received).toHaveLength(100);
    await Promise.all([first.close(), second.close()]);
  }, 60_000);

  test('take over what the other left behind when its time is up', async () => {
    const url = await (await postgres).newLedger();
    const on = await openLedger({ url });
    ends.push(() => on.close());
    const hook = await receiver();
    const webhooks = await office([hook], { on });
    const { id } = (await webhooks.list())[0]!;
    await webhooks.close();
    await on.webhooks.enqueueDeliveries([
      { id: 'delivery-left', webhook: id, event: 'verdict', payload: { id: 'delivery-left' } },
    ]);
    expect(await on.webhooks.takeDueDeliveries(id, 4, 1_500)).toHaveLength(1);
    expect(await on.webhooks.takeDueDeliveries(id, 4, 1_500)).toHaveLength(0);
    await office([hook], { on });
    expect(hook.received).toHaveLength(0);
    await eventually(() => expect(hook.received).toHaveLength(1));
  }, 60_000);
});
