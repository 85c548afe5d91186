import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import { momentOf } from './key-store.ts';
import { pageAfter, placeIn } from './page-cursor.ts';
import type { DeliveryRow, WebhookRow, WebhookStore } from './server-records.ts';
import { plain, storedVersion, toStored } from './stored-json.ts';
import type { Deliveries, Webhooks } from './tables.ts';

export function webhookStore({ db, kind, write }: Database): WebhookStore {
  return {
    async keep({ id, url, events, secret, createdAt }) {
      const row: Webhooks = { id, version: storedVersion, url: plain(url), events: toStored(events), secret, created_at: createdAt.toISOString(), disabled_at: null, problem: null };
      await write((trx) => trx.insertInto('webhooks').values(row).execute());
    },
    async find(id) {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', plain(id)).executeTakeFirst();
      return row && webhookOf(row);
    },
    async list() {
      return (await db.selectFrom('webhooks').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()).map(webhookOf);
    },
    async disable(id, problem) {
      await write((trx) => trx.updateTable('webhooks').set({ disabled_at: new Date().toISOString(), problem: plain(problem) }).where('id', '=', id).where('disabled_at', 'is', null).execute());
    },
    async remove(id) {
      await write(async (trx) => {
        await trx.deleteFrom('deliveries').where('webhook', '=', plain(id)).execute();
        await trx.deleteFrom('webhooks').where('id', '=', plain(id)).execute();
      });
    },
    async enqueue(deliveries) {
      if (deliveries.length === 0) return;
      const now = new Date().toISOString();
      const rows = deliveries.map(({ id, webhook, event, payload }): Deliveries => ({
        id, version: storedVersion, webhook, event, payload: toStored(payload), state: 'waiting', attempts: 0, status: null, error: null, due_at: now, created_at: now, ended_at: null,
      }));
      await write((trx) => trx.insertInto('deliveries').values(rows).onConflict((conflict) => conflict.column('id').doNothing()).execute());
    },
    due: (limit, leaseMs) =>
      write(async (trx) => {
        const now = Date.now();
        const rows = await trx
          .selectFrom('deliveries')
          .selectAll()
          .where('state', '=', 'waiting')
          .where('due_at', '<=', new Date(now).toISOString())
          .orderBy('due_at')
          .limit(limit)
          .$if(kind === 'postgresql', (query) => query.forUpdate().skipLocked())
          .execute();
        const due_at = new Date(now + leaseMs).toISOString();
        for (const { id, attempts } of rows) await trx.updateTable('deliveries').set({ due_at, attempts: attempts + 1 }).where('id', '=', id).execute();
        return rows.map((row) => deliveryOf({ ...row, due_at, attempts: row.attempts + 1 }));
      }),
    async nextDue() {
      const row = await db.selectFrom('deliveries').select('due_at').where('state', '=', 'waiting').orderBy('due_at').limit(1).executeTakeFirst();
      return momentOf(row?.due_at ?? null);
    },
    async settle(id, { state, status, error, dueAt }) {
      const ended_at = state === 'waiting' ? null : new Date().toISOString();
      await write((trx) => trx.updateTable('deliveries').set({ state, status, error: plain(error), due_at: dueAt?.toISOString() ?? null, ended_at }).where('id', '=', id).execute());
    },
    async findDelivery(id) {
      const row = await db.selectFrom('deliveries').selectAll().where('id', '=', plain(id)).executeTakeFirst();
      return row && deliveryOf(row);
    },
    async deliveries(webhook, { state, limit, after = null }) {
      let query = db.selectFrom('deliveries').selectAll().where('webhook', '=', plain(webhook)).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit + 1);
      if (state) query = query.where('state', '=', state);
      if (after !== null) query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(...placeIn(after, 'deliveries'))));
      const rows = await query.execute();
      return pageAfter(rows, limit, deliveryOf, ({ created_at, id }) => [created_at, id]);
    },
    async prune(before) {
      const { numDeletedRows } = await write((trx) => trx.deleteFrom('deliveries').where('state', '<>', 'waiting').where('ended_at', '<', before.toISOString()).executeTakeFirstOrThrow());
      return Number(numDeletedRows);
    },
  };
}

function webhookOf({ id, url, events, secret, created_at, disabled_at, problem }: Selectable<Webhooks>): WebhookRow {
  return { id, url, events: JSON.parse(events) as string[], secret, createdAt: new Date(created_at), disabledAt: momentOf(disabled_at), problem };
}

function deliveryOf({ id, webhook, event, payload, state, attempts, status, error, due_at, created_at, ended_at }: Selectable<Deliveries>): DeliveryRow {
  return { id, webhook, event, payload: JSON.parse(payload) as unknown, state, attempts, status, error, dueAt: momentOf(due_at), createdAt: new Date(created_at), endedAt: momentOf(ended_at) };
}
