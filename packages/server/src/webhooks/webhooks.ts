import { randomUUID } from 'node:crypto';
import { AgonError } from '@agonhq/engine/agon-error';
import type { DeliveryRow, Ledger, NewDelivery, WebhookRow } from '@agonhq/ledger';
import type { ServerSettings } from '@agonhq/core/settings';
import { errorCode, type LogLine } from '../log.ts';
import type { EventFeed, FeedEvent } from '../event-feed.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { attemptDelivery, createSecret } from './delivery-attempt.ts';
import { openDeliveryLoop, type DeliveryLoopOptions } from './deliver-webhooks.ts';
import { addressEvent, openOutbox } from './outbox.ts';
import { openWebhookRegistry, type ListedWebhook } from './webhook-registry.ts';

/** Who is told of verdicts: from the configuration file, and from the ledger. */
export interface Webhooks {
  list(): Promise<readonly ListedWebhook[]>;
  create(webhook: { url: string; events: readonly string[] }): Promise<WebhookRow>;
  remove(id: string): Promise<void>;
  /** Sends a test at once, and says what came of it. A webhook that was disabled is told again when it arrives. */
  test(id: string, signal: AbortSignal): Promise<DeliveryRow>;
  /** One that was given up is sent once more, and tried again as if it were new; the webhook must be on. */
  retry(id: string, delivery: string): Promise<DeliveryRow>;
  deliveries(
    id: string,
    options: { state?: DeliveryRow['state']; limit: number; after?: string | null },
  ): Promise<{ rows: readonly DeliveryRow[]; next: string | null }>;
  /** What is sent of an event, for those who put it on record together with what it tells of; `send` follows. */
  address(item: FeedEvent): readonly NewDelivery[];
  /** Looks for deliveries that others put on record. */
  send(): void;
  /** Ends the deliveries after those that are on their way. What waits is delivered by the next server. */
  close(): Promise<void>;
}

export interface WebhooksOptions {
  ledger: Pick<Ledger, 'webhooks'>;
  feed: EventFeed;
  outbound: Outbound;
  settings: Pick<ServerSettings, 'webhooks' | 'fetch'>;
  log: (line: LogLine) => void;
  pauses?: DeliveryLoopOptions['pauses'];
}

const mostWebhooks = 100;
/** What other servers on the same ledger made or removed is known so late at most. */
const refreshMs = 5_000;
const tidyMs = 3_600_000;
const keptMs = 30 * 24 * 3_600_000;

export async function openWebhooks({
  ledger: { webhooks: store },
  feed,
  outbound,
  settings,
  log,
  pauses,
}: WebhooksOptions): Promise<Webhooks> {
  const registry = openWebhookRegistry(store, settings);
  const orLog = (what: string, work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => log({ level: 'warn', event: 'webhooks', problem: what, code: errorCode(error) }),
    );
  const refresh = () => orLog('webhooks cannot be read', registry.refresh());
  const tidy = () => orLog('old deliveries cannot be taken away', store.pruneDeliveries(new Date(Date.now() - keptMs)));
  await refresh();
  const deliveries = openDeliveryLoop({ store, registry, outbound, log, ...(pauses ? { pauses } : {}) });
  const outbox = openOutbox({ store, registry, log, onKept: deliveries.look });
  const unlisten = feed.subscribe((item, { isRecorded }) => {
    if (!isRecorded) outbox.take(item);
  });
  const timers = [setInterval(() => void refresh(), refreshMs).unref(), setInterval(() => void tidy(), tidyMs).unref()];

  return {
    list: registry.list,

    async create({ url, events }) {
      await outbound.assertWebhook(url);
      if ((await store.listWebhooks()).length >= mostWebhooks)
        throw new AgonError(
          'too-many-webhooks',
          `There are already ${mostWebhooks} webhooks, which is the limit.`,
          'Remove one: DELETE /api/webhooks/{id}.',
        );
      const made = {
        id: `webhook-${randomUUID()}`,
        url,
        events: [...new Set(events)],
        secret: createSecret(),
        createdAt: new Date(),
      };
      await store.keepWebhook(made);
      await registry.refresh();
      return { ...made, disabledAt: null, problem: null };
    },

    async remove(id) {
      const { trusted } = await registry.find(id);
      if (trusted)
        throw new AgonError(
          'configured-webhook',
          `Webhook ${id} is set in the configuration file.`,
          'Remove it there (server.webhooks), and restart the server.',
        );
      await store.removeWebhook(id);
      await registry.refresh();
    },

    async test(id, signal) {
      const receiver = await registry.find(id);
      if (!receiver.trusted) await outbound.assertWebhook(receiver.url);
      const createdAt = new Date();
      const delivery = `delivery-${randomUUID()}`;
      const payload = { id: delivery, type: 'test', created_at: createdAt.toISOString(), data: {} };
      const { delivered, status, error } = await attemptDelivery({ id: delivery, payload }, receiver, outbound, signal);
      const row: DeliveryRow = {
        id: delivery,
        webhook: id,
        event: 'test',
        payload,
        state: delivered ? 'delivered' : 'failed',
        attempts: 1,
        status,
        error,
        dueAt: null,
        createdAt,
        endedAt: new Date(),
      };
      await store.keepDelivery(row);
      if (delivered) await registry.enable(id);
      return row;
    },

    async retry(id, delivery) {
      const receiver = await registry.find(id);
      if (!receiver.trusted) await outbound.assertWebhook(receiver.url);
      if (!registry.active().some((active) => active.id === id)) throw isOff(id);
      const row = await store.retryDelivery(id, delivery);
      if (!row) throw noFailedDelivery(id, delivery);
      deliveries.look([id]);
      return row;
    },

    async deliveries(id, options) {
      await registry.find(id);
      return store.listDeliveries(id, options);
    },

    address: (item) => addressEvent(registry, item),

    send: () => deliveries.look(registry.active().map(({ id }) => id)),

    async close() {
      unlisten();
      for (const timer of timers) clearInterval(timer);
      await outbox.close();
      await deliveries.close();
    },
  };
}

function isOff(id: string): AgonError {
  return new AgonError(
    'webhook-off',
    `Webhook ${id} is off, and is told nothing.`,
    'Send it a test first: when that arrives, it is told again.',
  );
}

function noFailedDelivery(id: string, delivery: string): AgonError {
  return new AgonError(
    'unknown-delivery',
    `Webhook ${id} has no delivery ${delivery} that was given up.`,
    'GET /api/webhooks/{id}/deliveries?state=failed lists them.',
  );
}
