import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryRow, WebhookStore } from '@agonhq/ledger';
import { errorCode, type LogLine } from '../log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { attemptDelivery, type AttemptOutcome, planNextAttempt } from './delivery-attempt.ts';
import { openOutcomeWriter } from './write-outcomes.ts';
import type { Receiver, WebhookRegistry } from './webhook-registry.ts';

/** Delivers what is due. */
export interface DeliveryLoop {
  /** There is something for these webhooks. */
  look(webhooks: Iterable<string>): void;
  /** Waits a little for what is on its way; what is not there by then is sent again by the next server. */
  close(): Promise<void>;
}

export interface DeliveryLoopOptions {
  store: WebhookStore;
  registry: WebhookRegistry;
  outbound: Outbound;
  log: (line: LogLine) => void;
  /** For tests: how long it is waited after each attempt. */
  pauses?: readonly number[];
}

/** A receiver that hangs takes up its own places, and nobody else's. */
const atOnceToOne = 4;
const atOnce = 64;
/** From the ledger for a receiver that takes what it is sent. */
const takenAtOnce = 16;
/** Longer than all that is in hand may take. */
const leaseMs = 60_000;
/** What is not known to be due, or was left behind by another server, is found so late at most. */
const restMs = 5_000;
const failuresInARow = 10;
const closingMs = 5_000;

interface ReceiverQueue {
  /** Taken from the ledger, and not sent yet. */
  held: DeliveryRow[];
  sending: number;
  /** The last one was taken. */
  takes: boolean;
  /** Before this moment there is nothing due, as far as we know. */
  lookAt: number;
}

export function openDeliveryLoop({ store, registry, outbound, log, pauses }: DeliveryLoopOptions): DeliveryLoop {
  const queues = new Map<string, ReceiverQueue>();
  const outcomes = openOutcomeWriter(store);
  const unsettled = new Set<Promise<void>>();
  const stop = new AbortController();
  let closed = false;
  let sending = 0;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let first = 0;
  let timer: NodeJS.Timeout | undefined;

  function queueOf(id: string): ReceiverQueue {
    const queue = queues.get(id) ?? { held: [], sending: 0, takes: false, lookAt: 0 };
    queues.set(id, queue);
    return queue;
  }

  function lookNow(): void {
    clearTimeout(timer);
    if (closed) return;
    lookAgain = true;
    looking ??= lookAround().finally(() => {
      looking = null;
      if (!closed) timer = setTimeout(lookNow, Math.max(10, nextLook() - Date.now())).unref();
    });
  }

  async function lookAround(): Promise<void> {
    while (lookAgain) {
      lookAgain = false;
      const receivers = registry.active();
      first += 1;
      // Whoever comes last today comes first tomorrow: when all places are taken, each gets its turn.
      for (const index of receivers.keys()) await serve(receivers[(index + first) % receivers.length]!);
    }
  }

  async function serve(receiver: Receiver): Promise<void> {
    const queue = queueOf(receiver.id);
    await takeDue(receiver, queue);
    if (closed) return;
    const room = Math.min(atOnceToOne - queue.sending, atOnce - sending);
    for (const row of queue.held.splice(0, Math.max(0, room))) send(receiver, row, queue);
  }

  async function takeDue({ id }: Receiver, queue: ReceiverQueue): Promise<void> {
    if (
      closed ||
      queue.held.length > 0 ||
      queue.sending >= atOnceToOne ||
      sending >= atOnce ||
      queue.lookAt > Date.now()
    )
      return;
    const wanted = queue.takes ? takenAtOnce : atOnceToOne - queue.sending;
    queue.lookAt = Date.now() + restMs;
    try {
      queue.held = [...(await store.takeDueDeliveries(id, wanted, leaseMs))];
      if (queue.held.length === wanted) queue.lookAt = 0;
    } catch (error) {
      log({
        level: 'warn',
        event: 'webhooks',
        problem: 'deliveries cannot be read',
        webhook: id,
        code: errorCode(error),
      });
    }
  }

  function nextLook(): number {
    const free =
      sending < atOnce
        ? registry
            .active()
            .map(({ id }) => queueOf(id))
            .filter((queue) => queue.sending < atOnceToOne)
        : [];
    return Math.min(Date.now() + restMs, ...free.map(({ lookAt }) => lookAt));
  }

  function send(receiver: Receiver, row: DeliveryRow, queue: ReceiverQueue): void {
    queue.sending += 1;
    sending += 1;
    track(
      receiver,
      attemptDelivery(row, receiver, outbound, stop.signal)
        .catch(() => null)
        .then((came) => {
          queue.sending -= 1;
          sending -= 1;
          queue.takes = came?.delivered ?? false;
          lookNow();
          return came === null ? putBack(row) : settle(receiver, row, came, queue);
        }),
    );
  }

  function track({ id: webhook }: Pick<Receiver, 'id'>, work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) =>
        log({
          level: 'warn',
          event: 'webhooks',
          problem: 'what came of a delivery cannot be put on record',
          webhook,
          code: errorCode(error),
        }),
      )
      .finally(() => unsettled.delete(tracked));
    unsettled.add(tracked);
  }

  async function settle(
    receiver: Receiver,
    { id, attempts }: DeliveryRow,
    { delivered, status, error, retryAfter }: AttemptOutcome,
    queue: ReceiverQueue,
  ): Promise<void> {
    if (delivered) return outcomes.note({ id, state: 'delivered', status, error, dueAt: null, attempts });
    log({
      level: 'warn',
      event: 'webhook-failed',
      webhook: receiver.id,
      delivery: id,
      attempt: attempts,
      status,
      error,
    });
    const dueAt = status === 410 ? null : planNextAttempt(attempts, { retryAfter, ...(pauses ? { pauses } : {}) });
    await outcomes.note({ id, state: dueAt === null ? 'failed' : 'waiting', status, error, dueAt, attempts });
    if (dueAt !== null) {
      queue.lookAt = Math.min(queue.lookAt, dueAt.getTime());
      lookNow();
    } else if (status === 410) await disable(receiver, 'It answered 410: it wants to be told no more.');
    else if (await store.haveLastFailed(receiver.id, failuresInARow))
      await disable(receiver, `${failuresInARow} deliveries in a row failed for good, the last one so: ${error}`);
  }

  /** For the next server: as if it had not been taken. */
  function putBack({ id, attempts }: DeliveryRow): Promise<void> {
    return outcomes.note({
      id,
      state: 'waiting',
      status: null,
      error: null,
      dueAt: new Date(),
      attempts: attempts - 1,
    });
  }

  async function disable({ id }: Receiver, problem: string): Promise<void> {
    queueOf(id).held = [];
    if (!registry.active().some((receiver) => receiver.id === id)) return;
    await registry.disable(id, problem);
    log({ level: 'error', event: 'webhook-disabled', webhook: id, problem });
  }

  lookNow();
  return {
    look(webhooks) {
      for (const id of webhooks) queueOf(id).lookAt = 0;
      lookNow();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
      for (const [id, { held }] of queues) for (const row of held.splice(0)) track({ id }, putBack(row));
      await Promise.race([Promise.all(unsettled), pause(closingMs, undefined, { ref: false })]);
      stop.abort();
      await Promise.all(unsettled);
    },
  };
}
