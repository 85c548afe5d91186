import type { Expression, ExpressionBuilder, SqlBool, Updateable } from 'kysely';
import type { Db, Trx } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import { toStored } from '../database/stored-json.ts';
import type { RunItemRows, Tables } from '../tables/tables.ts';
import { makeResultColumns } from './run-rows.ts';
import type { ItemError, ItemResult } from './runs.ts';

/** Who must have an item in hand for an outcome to stand: the worker, in this very attempt. */
export interface Holder {
  run: string;
  position: number;
  worker: string;
  attempts: number;
}

/**
 * The first result stands, and the content goes: it is the case's subject. False when somebody else has the item, or
 * nobody.
 */
export async function finishItem(
  trx: Trx,
  { run, position, worker, attempts }: Holder,
  result: ItemResult,
): Promise<boolean> {
  const ended_at = new Date().toISOString();
  const { numAffectedRows } = await markFinished(trx, {
    run,
    position,
    worker,
    attempts,
    ended_at,
    ...makeResultColumns(result),
  });
  if (numAffectedRows === 0n) return false;
  await endSameItems(trx, run, position, ended_at);
  return true;
}

const markFinished = fixedQuery(
  (db, { run, position, worker, attempts, ...columns }: Holder & Updateable<RunItemRows>) =>
    updateHeld(
      db,
      { run, position, worker, attempts },
      { state: 'done', input: null, due_at: null, error: null, ...columns },
    ),
);

/** Sets an item aside. Its content stays, for another attempt when somebody asks for it. */
export async function setItemAside(trx: Trx, holder: Holder, error: ItemError): Promise<boolean> {
  const ended_at = new Date().toISOString();
  if (
    !(await changeHeld(trx, holder, {
      state: 'failed',
      attempts: holder.attempts + 1,
      due_at: null,
      error: toStored(error),
      ended_at,
    }))
  )
    return false;
  await endSameItems(trx, holder.run, holder.position, ended_at);
  return true;
}

/** It waits again, after a pause, and the attempt is counted. */
export async function retryItem(
  trx: Trx,
  holder: Holder,
  error: ItemError,
  dueAt: Expression<string>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateHeld(trx, holder, {
    state: 'waiting',
    attempts: holder.attempts + 1,
    worker: null,
    error: toStored(error),
  })
    .set({ due_at: dueAt })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** It waits again as if nobody had taken it. */
export async function releaseItem(trx: Trx, holder: Holder): Promise<boolean> {
  return changeHeld(trx, holder, { state: 'waiting', worker: null, due_at: null });
}

export function makeWorkerDiedError(tried: number): ItemError {
  return {
    code: 'worker-died',
    message:
      tried === 1
        ? 'The process that judged it by itself ended before there was a verdict.'
        : `Each of the ${tried} processes that judged it by itself ended before there was a verdict, or failed.`,
    hint: 'See what it does to the process, then retry the failed items of the run.',
  };
}

/** Items of the same content end with the one that was judged. */
export async function endSameItems(trx: Trx, run: string, position: number, ended_at: string): Promise<void> {
  await markSameEnded(trx, { run, position, ended_at });
}

const markSameEnded = fixedQuery(
  (db, { run, position, ended_at }: { run: string; position: number; ended_at: string }) =>
    db.updateTable('run_items').set({ ended_at }).where('run', '=', run).where('same_as', '=', position),
);

async function changeHeld(trx: Trx, holder: Holder, columns: Updateable<RunItemRows>): Promise<boolean> {
  const { numUpdatedRows } = await updateHeld(trx, holder, columns).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function updateHeld(db: Db, { run, position, worker, attempts }: Holder, columns: Updateable<RunItemRows>) {
  return db
    .updateTable('run_items')
    .set(columns)
    .where('run', '=', run)
    .where('position', '=', position)
    .where('state', '=', 'running')
    .where('worker', '=', worker)
    .where('attempts', '=', attempts);
}

/**
 * Takes the content of items away that were not judged: they cannot be any more, and say why. What came of others
 * stays. Says how many.
 */
export async function dropInputs(
  trx: Trx,
  error: ItemError,
  which: (items: ExpressionBuilder<Tables, 'run_items'>) => Expression<SqlBool>,
): Promise<number> {
  const ended_at = new Date().toISOString();
  const rows = await trx
    .updateTable('run_items')
    .set({ input: null, state: 'failed', error: toStored(error), due_at: null, ended_at })
    .where('input', 'is not', null)
    .where(which)
    .returning(['run', 'position'])
    .execute();
  for (const { run, position } of rows) await endSameItems(trx, run, position, ended_at);
  return rows.length;
}
