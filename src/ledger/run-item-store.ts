import type { Database } from './database.ts';
import { oneOf } from './one-of.ts';
import type { QueueHooks } from './queue-hooks.ts';
import { retryFailedItems } from './run-item-changes.ts';
import { putItems } from './run-item-put.ts';
import { itemOf, itemQuery, judgedOnce } from './run-item-rows.ts';
import { lockRun } from './run-rows.ts';
import type { RunStore } from './runs.ts';
import { plain } from './stored-json.ts';

type ItemMethods = Pick<RunStore, 'put' | 'items' | 'itemsByKey' | 'itemsByHash' | 'retryFailed' | 'cancelWaiting'>;

export function runItemStore({ db, kind, write }: Database, hooks: QueueHooks | null): ItemMethods {
  return {
    async put(run, items) {
      await hooks?.prepare(run);
      return write((trx) => putItems(trx, kind, hooks, run, items));
    },

    async items(run, { order, after = null, limit, states }) {
      let query = itemQuery(db).where('run_items.run', '=', run).limit(limit);
      if (states) query = query.where(oneOf(kind, 'run_items.state', states));
      if (order === 'input') {
        query = query.orderBy('run_items.position');
        if (after) query = query.where('run_items.position', '>', after.position);
      } else {
        query = query
          .where('run_items.ended_at', 'is not', null)
          .orderBy('run_items.ended_at')
          .orderBy('run_items.position');
        const { endedAt, position } = after ?? {};
        if (endedAt && position !== undefined) {
          query = query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('run_items.ended_at', 'run_items.position'), '>', tuple(endedAt.toISOString(), position)),
          );
        }
      }
      return (await query.execute()).map(itemOf);
    },

    async itemsByKey(run, keys) {
      const rows = await itemQuery(db)
        .where('run_items.run', '=', run)
        .where(oneOf(kind, 'run_items.key', keys.map(plain)))
        .execute();
      return new Map(rows.map((row) => [row.key, itemOf(row)]));
    },

    async itemsByHash(run, hashes) {
      const rows = await itemQuery(db)
        .where('run_items.run', '=', run)
        .where(oneOf(kind, 'run_items.hash', hashes.map(plain)))
        .where(judgedOnce)
        .execute();
      return new Map(rows.map((row) => [row.hash, itemOf(row)]));
    },

    async retryFailed(run) {
      await hooks?.prepare(run);
      return write((trx) => retryFailedItems(trx, kind, hooks, run));
    },

    async cancelWaiting(run) {
      await hooks?.prepare(run);
      return write(async (trx) => {
        await lockRun(trx, kind, run);
        await trx
          .updateTable('runs')
          .set({ state: 'cancelled', ended_at: new Date().toISOString() })
          .where('id', '=', run)
          .execute();
        await hooks?.dequeueWaiting(trx, run);
        const { waiting } = await trx
          .selectFrom('run_items')
          .select(({ fn }) => fn.countAll().as('waiting'))
          .where('run', '=', run)
          .where('state', '=', 'waiting')
          .executeTakeFirstOrThrow();
        return Number(waiting);
      });
    },
  };
}
