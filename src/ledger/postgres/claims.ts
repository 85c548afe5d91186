import type { Job, PgBoss } from 'pg-boss';
import type { Trx } from '../database.ts';
import type { TakenItem } from '../item-queue.ts';
import { within } from './job-queues.ts';

/** A job and the number of its fetch: pg-boss keeps a job alive only for whoever fetched it last. */
type Claim = Pick<Job, 'id' | 'retryCount'>;

export function claimText({ id, retryCount }: Claim): string {
  return `${id}:${retryCount}`;
}

export function claimOf({ claim }: Pick<TakenItem, 'claim'>): Claim {
  const [id = '', retryCount] = claim.split(':');
  return { id, retryCount: Number(retryCount) };
}

/** Says which of these claims still hold, and that their worker is alive. */
export async function touched(boss: PgBoss, run: string, claims: Claim[]): Promise<readonly string[]> {
  // The ids are not in the type that pg-boss declares.
  const { settled } = (await boss.touch(run, claims)) as { settled: string[] };
  return settled;
}

/** Jobs that were taken wait again, after a pause; their next fetch has a number of its own. */
export async function requeue(boss: PgBoss, trx: Trx, run: string, ids: readonly string[], pauseMs = 0): Promise<void> {
  if (ids.length === 0) return;
  await boss.cancel(run, [...ids], within(trx));
  await boss.resume(run, [...ids], within(trx));
  if (pauseMs > 0)
    for (const id of ids) await boss.update(run, undefined, { id, startAfter: pauseMs / 1_000, ...within(trx) });
}
