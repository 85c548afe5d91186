import type { Selectable } from 'kysely';
import type { Database, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { readNewest } from '../database/pages.ts';
import { readMoment, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';

export interface WebhookRow {
  id: string;
  url: string;
  events: readonly string[];
  /** What deliveries are signed with: never shown again, never exported. */
  secret: string;
  createdAt: Date;
  disabledAt: Date | null;
  problem: string | null;
}

export interface DeliveryRow {
  id: string;
  webhook: string;
  event: string;
  payload: unknown;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  status: number | null;
  error: string | null;
  dueAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** One that is to be made. */
export type NewDelivery = Pick<DeliveryRow, 'id' | 'webhook' | 'event' | 'payload'>;

export type DeliveryOutcome = Pick<DeliveryRow, 'id' | 'state' | 'status' | 'error' | 'dueAt' | 'attempts'>;

export interface WebhookStore {
  keepWebhook(webhook: Omit<WebhookRow, 'disabledAt' | 'problem'>): Promise<void>;
  findWebhook(id: string): Promise<WebhookRow | undefined>;
  listWebhooks(): Promise<readonly WebhookRow[]>;
  disableWebhook(id: string, problem: string): Promise<void>;
  /** Takes `disable` back. */
  enableWebhook(id: string): Promise<void>;
  /** With its deliveries. */
  removeWebhook(id: string): Promise<void>;
  /** Puts deliveries on record, waiting from now on; one that is there already stays. */
  enqueueDeliveries(deliveries: readonly NewDelivery[]): Promise<void>;
  /** Puts one on record that has ended. */
  keepDelivery(delivery: DeliveryRow): Promise<void>;
  /**
   * Deliveries of a webhook that are due, each given to one caller only: nobody else gets it before `leaseMs` have
   * passed.
   */
  takeDueDeliveries(webhook: string, limit: number, leaseMs: number): Promise<readonly DeliveryRow[]>;
  /** What came of attempts: delivered, failed for good, or to be tried again at `dueAt`. */
  settleDeliveries(outcomes: readonly DeliveryOutcome[]): Promise<void>;
  /** One that failed for good waits again, as if it had not been tried; undefined when there is none such. */
  retryDelivery(webhook: string, id: string): Promise<DeliveryRow | undefined>;
  /** All that wait for a webhook fail for good. */
  abandonDeliveries(webhook: string, error: string): Promise<void>;
  /** Whether the last so many deliveries of a webhook that have ended all failed. */
  haveLastFailed(webhook: string, count: number): Promise<boolean>;
  /** The newest first. */
  listDeliveries(
    webhook: string,
    options: { state?: DeliveryRow['state']; limit: number; after?: string | null },
  ): Promise<{ rows: readonly DeliveryRow[]; next: string | null }>;
  /**
   * Takes away what ended before, or has waited since before for a webhook that nobody knows any more; says how many.
   */
  pruneDeliveries(before: Date): Promise<number>;
}

/** So many rows have fewer parameters than a statement may. */
const rowsAtOnce = 500;

/** Puts deliveries on record together with what they tell of. */
export async function insertDeliveries(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  const now = new Date().toISOString();
  const rows = deliveries.map(({ id, webhook, event, payload }): Tables['deliveries'] => ({
    id,
    version: storedVersion,
    webhook,
    event,
    payload: toStored(payload),
    state: 'waiting',
    attempts: 0,
    status: null,
    error: null,
    due_at: now,
    created_at: now,
    ended_at: null,
  }));
  for (let first = 0; first < rows.length; first += rowsAtOnce)
    await insertNew(trx.insertInto('deliveries').values(rows.slice(first, first + rowsAtOnce)));
}

export function webhookStore({ db, kind, write }: Database): WebhookStore {
  return {
    async keepWebhook({ id, url, events, secret, createdAt }) {
      const row: Tables['webhooks'] = {
        id,
        version: storedVersion,
        url: toStorable(url),
        events: toStored(events),
        secret,
        created_at: createdAt.toISOString(),
        disabled_at: null,
        problem: null,
      };
      await write((trx) => insertNew(trx.insertInto('webhooks').values(row)));
    },
    async findWebhook(id) {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', toStorable(id)).executeTakeFirst();
      return row && readWebhook(row);
    },
    async listWebhooks() {
      return (await db.selectFrom('webhooks').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()).map(
        readWebhook,
      );
    },
    async disableWebhook(id, problem) {
      await write((trx) =>
        trx
          .updateTable('webhooks')
          .set({ disabled_at: new Date().toISOString(), problem: toStorable(problem) })
          .where('id', '=', id)
          .where('disabled_at', 'is', null)
          .execute(),
      );
    },
    async enableWebhook(id) {
      await write((trx) =>
        trx
          .updateTable('webhooks')
          .set({ disabled_at: null, problem: null })
          .where('id', '=', toStorable(id))
          .execute(),
      );
    },
    async removeWebhook(id) {
      await write(async (trx) => {
        await trx.deleteFrom('deliveries').where('webhook', '=', toStorable(id)).execute();
        await trx.deleteFrom('webhooks').where('id', '=', toStorable(id)).execute();
      });
    },
    enqueueDeliveries: (deliveries) => write((trx) => insertDeliveries(trx, deliveries)),
    async keepDelivery({ id, webhook, event, payload, state, attempts, status, error, createdAt, endedAt }) {
      const row: Tables['deliveries'] = {
        id,
        version: storedVersion,
        webhook,
        event,
        payload: toStored(payload),
        state,
        attempts,
        status,
        error: toStorable(error),
        due_at: null,
        created_at: createdAt.toISOString(),
        ended_at: endedAt?.toISOString() ?? null,
      };
      await write((trx) => insertNew(trx.insertInto('deliveries').values(row)));
    },
    takeDueDeliveries: (webhook, limit, leaseMs) =>
      write(async (trx) => {
        const now = Date.now();
        const rows = await trx
          .selectFrom('deliveries')
          .selectAll()
          .where('webhook', '=', webhook)
          .where('state', '=', 'waiting')
          .where('due_at', '<=', new Date(now).toISOString())
          .orderBy('due_at')
          .limit(limit)
          .$if(kind === 'postgresql', (query) => query.forUpdate().skipLocked())
          .execute();
        const due_at = new Date(now + leaseMs).toISOString();
        if (rows.length > 0)
          await trx
            .updateTable('deliveries')
            .set((set) => ({ due_at, attempts: set('attempts', '+', 1) }))
            .where(
              'id',
              'in',
              rows.map(({ id }) => id),
            )
            .execute();
        return rows.map((row) => readDelivery({ ...row, due_at, attempts: row.attempts + 1 }));
      }),
    async settleDeliveries(outcomes) {
      const now = new Date().toISOString();
      // Most of them ended alike: each kind takes one statement.
      const kinds = Map.groupBy(outcomes, ({ state, status, error, dueAt, attempts }) =>
        toStored([state, status, error, dueAt, attempts]),
      );
      await write(async (trx) => {
        for (const alike of kinds.values()) {
          const { state, status, error, dueAt, attempts } = alike[0]!;
          const ended = {
            state,
            status,
            error: toStorable(error),
            attempts,
            due_at: dueAt?.toISOString() ?? null,
            ended_at: state === 'waiting' ? null : now,
          };
          await trx
            .updateTable('deliveries')
            .set(ended)
            .where(
              'id',
              'in',
              alike.map(({ id }) => id),
            )
            .execute();
        }
      });
    },
    async retryDelivery(webhook, id) {
      const row = await write((trx) =>
        trx
          .updateTable('deliveries')
          .set({ state: 'waiting', attempts: 0, due_at: new Date().toISOString(), ended_at: null })
          .where('webhook', '=', toStorable(webhook))
          .where('id', '=', toStorable(id))
          .where('state', '=', 'failed')
          .returningAll()
          .executeTakeFirst(),
      );
      return row && readDelivery(row);
    },
    async abandonDeliveries(webhook, error) {
      await write((trx) =>
        trx
          .updateTable('deliveries')
          .set({ state: 'failed', error: toStorable(error), due_at: null, ended_at: new Date().toISOString() })
          .where('webhook', '=', webhook)
          .where('state', '=', 'waiting')
          .execute(),
      );
    },
    async haveLastFailed(webhook, count) {
      const rows = await db
        .selectFrom('deliveries')
        .select('state')
        .where('webhook', '=', webhook)
        .where('state', '<>', 'waiting')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(count)
        .execute();
      return rows.length === count && rows.every(({ state }) => state === 'failed');
    },
    listDeliveries(webhook, { state, ...options }) {
      let query = db.selectFrom('deliveries').selectAll().where('webhook', '=', toStorable(webhook));
      if (state) query = query.where('state', '=', state);
      return readNewest(query, ['created_at', 'id'], options, 'deliveries', readDelivery);
    },
    async pruneDeliveries(before) {
      const { numDeletedRows } = await write((trx) =>
        trx
          .deleteFrom('deliveries')
          .where(({ eb, fn }) => eb(fn.coalesce('ended_at', 'created_at'), '<', before.toISOString()))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

function readWebhook(row: Selectable<Tables['webhooks']>): WebhookRow {
  const { version: _, events, created_at, disabled_at, ...rest } = row;
  return {
    ...rest,
    events: JSON.parse(events) as string[],
    createdAt: new Date(created_at),
    disabledAt: readMoment(disabled_at),
  };
}

function readDelivery(row: Selectable<Tables['deliveries']>): DeliveryRow {
  const { version: _, payload, due_at, created_at, ended_at, ...rest } = row;
  return {
    ...rest,
    payload: JSON.parse(payload) as unknown,
    dueAt: readMoment(due_at),
    createdAt: new Date(created_at),
    endedAt: readMoment(ended_at),
  };
}
