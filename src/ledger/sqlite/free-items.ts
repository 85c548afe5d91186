import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Db, Write } from '../database/database.ts';
import { toStored } from '../database/stored-json.ts';
import { endSameItems } from '../runs/item-outcomes.ts';

/**
 * The items of workers that have ended, or were not heard of for too long, wait again; those that too many workers
 * ended with are set aside.
 */
export async function freeItemsOfDeadWorkers(
  db: Db,
  write: Write,
  self: string,
  attemptsAtMost: number,
): Promise<void> {
  const now = new Date().toISOString();
  // One run after the other: so the index by state is used.
  const held = await sql<{ run: string; worker: string; quiet: number }>`
    select run_items.run, run_items.worker, max(run_items.due_at is null or run_items.due_at <= ${now}) as quiet
    from runs cross join run_items on run_items.run = runs.id and run_items.state = 'running'
    where run_items.worker <> ${self} group by 1, 2`.execute(db);
  const ended = new Map<string, boolean>();
  for (const { worker } of held.rows) if (!ended.has(worker)) ended.set(worker, hasEnded(worker));
  const toFree = held.rows.filter(({ worker, quiet }) => quiet === 1 || ended.get(worker));
  if (toFree.length === 0) return;
  await write(async (trx) => {
    for (const { run, worker } of toFree) {
      const last = sql`attempts + 1 >= ${attemptsAtMost}`;
      const error = toStored({
        code: 'worker-died',
        message: `Each of the ${attemptsAtMost} processes that judged it ended before there was a verdict.`,
        hint: 'See what it does to the process, then retry the failed items of the run.',
      });
      const { rows } = await sql<{ position: number; state: string }>`
        update run_items set attempts = attempts + 1, state = case when ${last} then 'failed' else 'waiting' end,
          worker = case when ${last} then worker end, due_at = null,
          error = case when ${last} then ${error} else error end, ended_at = case when ${last} then ${now} end
        where run = ${run} and state = 'running' and worker = ${worker} and (${ended.get(worker) ? 1 : 0}
          or due_at is null or due_at <= ${now})
        returning position, state`.execute(trx);
      for (const { position, state } of rows) if (state === 'failed') await endSameItems(trx, run, position, now);
    }
  });
}

/**
 * Whether a worker (`host:pid:…`) has surely ended: its process was on this machine, and is gone. Of other machines
 * nobody here knows.
 */
function hasEnded(worker: string): boolean {
  const [, host, pid] = /^(.*):(\d+):[^:]*$/.exec(worker) ?? [];
  if (host !== hostname() || !pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
