import type { Database, Kind, Trx } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { toStorable } from '../database/stored-json.ts';
import { putItems } from './put-items.ts';
import { readErrorCode } from './count-items.ts';
import { findByContent } from './run-grid.ts';
import { lockRun, readItem, selectItems } from './run-rows.ts';
import type { RunStore } from './runs.ts';

type ItemMethods = Pick<
  RunStore,
  'putItems' | 'listItems' | 'findItemsByKey' | 'findItemsByHash' | 'retryFailedItems' | 'cancelRun'
>;

export function runItemStore({ db, kind, write }: Database): ItemMethods {
  return {
    putItems: (run, items) => write((trx) => putItems(trx, kind, run, items)),

    async listItems(run, { order, after = null, limit, states }) {
      let query = selectItems(db).where('run_items.run', '=', run).limit(limit);
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
      return (await query.execute()).map(readItem);
    },

    async findItemsByKey(run, keys) {
      const rows = await selectItems(db)
        .where('run_items.run', '=', run)
        .where(oneOf(kind, 'run_items.key', keys.map(toStorable)))
        .execute();
      return new Map(rows.map((row) => [row.key, readItem(row)]));
    },

    findItemsByHash: (run, hashes) => findByContent(db, kind, run, hashes),

    retryFailedItems: (run, code) => write((trx) => retryFailedItems(trx, kind, run, code)),

    cancelRun: (run) =>
      write(async (trx) => {
        await lockRun(trx, kind, run);
        await trx
          .updateTable('runs')
          .set({ state: 'cancelled', ended_at: new Date().toISOString() })
          .where('id', '=', run)
          .execute();
        const { waiting } = await trx
          .selectFrom('run_items')
          .select(({ fn }) => fn.countAll().as('waiting'))
          .where('run', '=', run)
          .where('state', '=', 'waiting')
          .executeTakeFirstOrThrow();
        return Number(waiting);
      }),
  };
}

/** Failed items wait again; a broken line has nothing that could be judged. */
async function retryFailedItems(trx: Trx, kind: Kind, run: string, code?: string): Promise<number> {
  await lockRun(trx, kind, run);
  const rows = await trx
    .updateTable('run_items')
    .set({ state: 'waiting', attempts: 0, worker: null, due_at: null, error: null, ended_at: null })
    .where('run', '=', run)
    .where('state', '=', 'failed')
    .where('input', 'is not', null)
    .$if(code !== undefined, (query) => query.where(readErrorCode(kind), '=', code!))
    .returning('position')
    .execute();
  const positions = rows.map(({ position }) => position);
  await trx
    .updateTable('run_items')
    .set({ ended_at: null })
    .where('run', '=', run)
    .where('same_as', 'is not', null)
    .where(oneOf(kind, 'same_as', positions))
    .execute();
  return positions.length;
}

/** Items that were put in at the very moment at which the one of the same content ended: nobody has told them yet. */
export async function endLateSameItems(trx: Trx, run: string, ended_at: string): Promise<void> {
  await trx
    .updateTable('run_items')
    .set({ ended_at })
    .where('run', '=', run)
    .where('same_as', 'is not', null)
    .where('ended_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('run_items as judged')
          .select('judged.position')
          .whereRef('judged.run', '=', 'run_items.run')
          .whereRef('judged.position', '=', 'run_items.same_as')
          .where('judged.ended_at', 'is not', null),
      ),
    )
    .execute();
}
