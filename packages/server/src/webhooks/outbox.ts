import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { NewDelivery, WebhookStore } from '@agonhq/ledger';
import { errorCode, type LogLine } from '../log.ts';
import type { FeedEvent } from '../event-feed.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

/** What is to be delivered, on its way to the ledger. */
export interface Outbox {
  /** Returns at once: judging does not wait for it. */
  take(item: FeedEvent): void;
  /** Puts what is left on record, if the ledger takes it in time. */
  close(): Promise<void>;
}

export interface OutboxOptions {
  store: WebhookStore;
  registry: Pick<WebhookRegistry, 'active'>;
  log: (line: LogLine) => void;
  /** Told when deliveries to these webhooks are on record. */
  onKept(webhooks: ReadonlySet<string>): void;
}

/** News of a moment is written at once: a commit each would take the disk from those who judge. */
const gatherMs = 25;
const mostAtOnce = 500;
/** While the ledger is away, so many are held. */
const mostHeld = 20_000;
const longestPauseMs = 10_000;
const closingMs = 3_000;

export function openOutbox({ store, registry, log, onKept }: OutboxOptions): Outbox {
  const held: NewDelivery[] = [];
  const closing = new AbortController();
  let lost = 0;
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    await rest(gatherMs);
    for (let pauseMs = 500; held.length > 0;) {
      const batch = held.slice(0, mostAtOnce);
      try {
        await store.enqueueDeliveries(batch);
      } catch (error) {
        log({
          level: 'warn',
          event: 'webhooks',
          problem: 'deliveries cannot be put on record',
          waiting: held.length,
          code: errorCode(error),
        });
        if (closing.signal.aborted) return;
        await rest(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
        continue;
      }
      held.splice(0, batch.length);
      onKept(new Set(batch.map(({ webhook }) => webhook)));
    }
    if (lost > 0) log({ level: 'error', event: 'webhooks', problem: 'news was lost while the ledger was away', lost });
    lost = 0;
  }

  async function rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
  }

  return {
    take(item) {
      for (const delivery of addressEvent(registry, item))
        if (held.length < mostHeld) held.push(delivery);
        else lost += 1;
      if (held.length > 0)
        writing ??= writeAll().finally(() => {
          writing = null;
        });
    },
    async close() {
      closing.abort();
      await Promise.race([writing, pause(closingMs, undefined, { ref: false })]);
      if (held.length > 0)
        log({
          level: 'error',
          event: 'webhooks',
          problem: 'news was not put on record before the server stopped',
          lost: held.length + lost,
        });
    },
  };
}

/** What is sent of an event: a delivery for each webhook that is told of such. */
export function addressEvent(registry: Pick<WebhookRegistry, 'active'>, item: FeedEvent): NewDelivery[] {
  return registry.active().flatMap(({ id, events }) => (events.has(item.type) ? [toDelivery(id, item)] : []));
}

function toDelivery(webhook: string, item: FeedEvent): NewDelivery {
  const id = `delivery-${randomUUID()}`;
  const { type, at, ...data } = item;
  return { id, webhook, event: type, payload: { id, type, created_at: at, data } };
}
