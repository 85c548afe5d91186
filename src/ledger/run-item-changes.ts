import type { Kind, Trx } from './database.ts';
import { oneOf } from './one-of.ts';
import type { QueueHooks } from './queue-hooks.ts';
import { lockRun } from './run-rows.ts';

const queuedAtOnce = 1_000;

/** Queues every item of a run that waits. */
export async function enqueueWaiting(trx: Trx, hooks: QueueHooks, run: string): Promise<void> {
  let after = -1;
  const page = async () => {
    const rows = await trx
      .selectFrom('run_items')
      .select('position')
      .where('run', '=', run)
      .where('state', '=', 'waiting')
      .where('position', '>', after)
      .orderBy('position')
      .limit(queuedAtOnce)
      .execute();
    return rows.map(({ position }) => position);
  };
  for (let positions = await page(); positions.length > 0; positions = await page()) {
    await hooks.enqueue(trx, run, positions);
    after = positions.at(-1)!;
  }
}

/** Items that were put in at the very moment at which the one of the same content ended: nobody has told them yet. */
export async function endSameItems(trx: Trx, run: string, ended_at: string): Promise<void> {
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

/** Failed items wait again; a broken line has nothing that could be judged. */
export async function retryFailedItems(trx: Trx, kind: Kind, hooks: QueueHooks | null, run: string): Promise<number> {
  const state = await lockRun(trx, kind, run);
  const rows = await trx
    .updateTable('run_items')
    .set({ state: 'waiting', attempts: 0, worker: null, due_at: null, error: null, ended_at: null })
    .where('run', '=', run)
    .where('state', '=', 'failed')
    .where('input', 'is not', null)
    .returning('position')
    .execute();
  const positions = rows.map(({ position }) => position).sort((a, b) => a - b);
  await trx
    .updateTable('run_items')
    .set({ ended_at: null })
    .where('run', '=', run)
    .where('same_as', 'is not', null)
    .where(oneOf(kind, 'same_as', positions))
    .execute();
  if (!hooks || state === 'cancelled') return positions.length;
  for (let from = 0; from < positions.length; from += queuedAtOnce)
    await hooks.enqueue(trx, run, positions.slice(from, from + queuedAtOnce));
  return positions.length;
}
