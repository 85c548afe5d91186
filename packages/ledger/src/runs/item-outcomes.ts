import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { z } from 'zod';
import type { Db, Kind, Trx } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { toStored } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import type { ItemError } from './runs.ts';

/** Who must have an item in hand for an outcome to stand: the worker, in this very attempt. */
export interface Holder {
  run: string;
  position: number;
  worker: string;
  attempts: number;
}

/** Of runs whose plan does not say it. */
const usualAttempts = 3;
const planSchema = z.object({ attempts: z.int().positive().catch(usualAttempts) }).catch({ attempts: usualAttempts });

/**
 * How often an item is tried, as the plan of its run says. Read here: PostgreSQL takes no JSON in which a text has a
 * NUL.
 */
export async function readPlannedAttempts(db: Db, run: string): Promise<number> {
  const { settings } = await db.selectFrom('runs').select('settings').where('id', '=', run).executeTakeFirstOrThrow();
  return planSchema.parse(JSON.parse(settings)).attempts;
}

/** Sets an item aside. Its content stays, for another attempt when somebody asks for it. */
export async function setItemAside(trx: Trx, kind: Kind, holder: Holder, error: ItemError): Promise<boolean> {
  const ended_at = new Date().toISOString();
  const { numUpdatedRows } = await updateHeld(trx, holder)
    .set({ state: 'failed', attempts: holder.attempts + 1, due_at: null, error: toStored(error), ended_at })
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await endSameItems(trx, kind, holder.run, [holder.position], ended_at);
  return true;
}

/** A pause that doubles does so until it is as long. */
export const longestPauseMs = 600_000;

/** It waits again, after a pause, and the attempt is counted. */
export async function retryItem(
  trx: Trx,
  kind: Kind,
  holder: Holder,
  error: ItemError,
  pauseMs: number,
): Promise<boolean> {
  const due_at = momentOf(kind, Math.min(pauseMs, longestPauseMs));
  const { numUpdatedRows } = await updateHeld(trx, holder)
    .set({ state: 'waiting', attempts: holder.attempts + 1, worker: null, error: toStored(error), due_at })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** It waits again as if nobody had taken it. */
export async function releaseItem(trx: Trx, holder: Holder): Promise<void> {
  await updateHeld(trx, holder).set({ state: 'waiting', worker: null, due_at: null }).execute();
}

function updateHeld(trx: Trx, { run, position, worker, attempts }: Holder) {
  return trx
    .updateTable('run_items')
    .where('run', '=', run)
    .where('position', '=', position)
    .where('state', '=', 'running')
    .where('worker', '=', worker)
    .where('attempts', '=', attempts);
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

/** Items of the same content end with those that were judged. */
export async function endSameItems(
  trx: Trx,
  kind: Kind,
  run: string,
  positions: readonly number[],
  ended_at: string,
): Promise<void> {
  if (positions.length === 0) return;
  await trx
    .updateTable('run_items')
    .set({ ended_at })
    .where('run', '=', run)
    .where('same_as', 'is not', null)
    .where(oneOf(kind, 'same_as', positions))
    .execute();
}

/**
 * Takes the content of items away that were not judged: they cannot be any more, and say why. What came of others
 * stays. Says how many.
 */
export async function dropInputs(
  trx: Trx,
  kind: Kind,
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
  for (const [run, ofRun] of Map.groupBy(rows, (row) => row.run))
    await endSameItems(
      trx,
      kind,
      run,
      ofRun.map(({ position }) => position),
      ended_at,
    );
  return rows.length;
}
