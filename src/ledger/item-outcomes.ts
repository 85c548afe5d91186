import type { Trx } from './database.ts';
import { resultColumns } from './run-item-rows.ts';
import type { ItemError, ItemResult } from './runs.ts';
import { toStored } from './stored-json.ts';
import type { RunItems } from './tables.ts';

/** Who must have an item in hand for an outcome to stand: the worker, in this very attempt. */
export interface Holder {
  run: string;
  position: number;
  worker: string;
  attempts: number;
}

/** The first result stands, and the content goes: it is the case's subject. False when somebody else has the item, or nobody. */
export function finishItem(trx: Trx, holder: Holder, result: ItemResult): Promise<boolean> {
  return end(trx, holder, { state: 'done', input: null, due_at: null, error: null, ...resultColumns(result) });
}

/** Sets an item aside. Its content stays, for another attempt when somebody asks for it. */
export function setItemAside(trx: Trx, holder: Holder, error: ItemError): Promise<boolean> {
  return end(trx, holder, { state: 'failed', attempts: holder.attempts + 1, due_at: null, error: toStored(error) });
}

/** It waits again, after a pause, and the attempt is counted. */
export async function retryItem(trx: Trx, holder: Holder, error: ItemError, dueAt: Date): Promise<boolean> {
  return change(trx, holder, { state: 'waiting', attempts: holder.attempts + 1, worker: null, due_at: dueAt.toISOString(), error: toStored(error) });
}

/** It waits again as if nobody had taken it. */
export async function letGo(trx: Trx, holder: Holder): Promise<boolean> {
  return change(trx, holder, { state: 'waiting', worker: null, due_at: null });
}

async function end(trx: Trx, holder: Holder, columns: Partial<RunItems>): Promise<boolean> {
  const ended_at = new Date().toISOString();
  if (!(await change(trx, holder, { ...columns, ended_at }))) return false;
  await endSame(trx, holder.run, holder.position, ended_at);
  return true;
}

/** Items of the same content end with the one that was judged. */
export async function endSame(trx: Trx, run: string, position: number, ended_at: string): Promise<void> {
  await trx.updateTable('run_items').set({ ended_at }).where('run', '=', run).where('same_as', '=', position).execute();
}

async function change(trx: Trx, { run, position, worker, attempts }: Holder, columns: Partial<RunItems>): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('run_items')
    .set(columns)
    .where('run', '=', run)
    .where('position', '=', position)
    .where('state', '=', 'running')
    .where('worker', '=', worker)
    .where('attempts', '=', attempts)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
