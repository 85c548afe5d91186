import { hostname } from 'node:os';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Kind } from '../database/database.ts';
import { momentOf } from '../database/moment.ts';
import { toStored } from '../database/stored-json.ts';
import { endSameItems, makeWorkerDiedError, readPlannedAttempts } from './item-outcomes.ts';
import { changeChosen } from './take-items.ts';
import type { QueueOptions } from './workers.ts';

/**
 * The items of workers that have ended, or were not heard of for too long, wait again and are tried by themselves;
 * those that too many workers ended with in that state are set aside. Any number of workers may do it at the same
 * moment.
 */
export async function freeItemsOfDeadWorkers(
  { db, kind, write }: Database,
  { worker: self, heartbeatMs }: Required<Pick<QueueOptions, 'worker' | 'heartbeatMs'>>,
): Promise<void> {
  const lapsed = hasLapsed(kind, heartbeatMs);
  // One run after the other, which on SQLite a cross join is: so the index by state is used.
  const held = await sql<{ run: string; worker: string; lapsed: number }>`
    select run_items.run, run_items.worker, max(case when ${lapsed} then 1 else 0 end) as lapsed
    from runs cross join run_items
    where run_items.run = runs.id and run_items.state = 'running' and run_items.worker <> ${self}
    group by 1, 2`.execute(db);
  const ended = new Set(held.rows.map(({ worker }) => worker).filter((worker) => hasEnded(kind, worker)));
  for (const { run, worker, lapsed: some } of held.rows)
    if (some === 1 || ended.has(worker))
      await write(async (trx) => {
        const now = new Date().toISOString();
        const most = await readPlannedAttempts(trx, run);
        const isLast = sql`alone = 1 and attempts + 1 >= ${most}`;
        const dead = trx
          .selectFrom('run_items')
          .select('position as place')
          .where('run', '=', run)
          .where('state', '=', 'running')
          .where('worker', '=', worker)
          .$if(!ended.has(worker), (query) => query.where(lapsed));
        const rows = await changeChosen(trx, kind, run, dead, { passing: true })
          .set({
            state: sql`case when ${isLast} then 'failed' else 'waiting' end`,
            attempts: sql`attempts + alone`,
            alone: 1,
            worker: sql`case when ${isLast} then worker end`,
            due_at: null,
            error: sql`case when ${isLast} then ${toStored(makeWorkerDiedError(most))} else error end`,
            ended_at: sql`case when ${isLast} then ${now} end`,
          })
          .returning(['position', 'state'])
          .execute();
        const failed = rows.filter(({ state }) => state === 'failed');
        await endSameItems(
          trx,
          kind,
          run,
          failed.map(({ position }) => position),
          now,
        );
      });
}

/** Whether a lease has run out. A server that has just been started gives everybody time to be heard of again. */
function hasLapsed(kind: Kind, heartbeatMs: number): RawBuilder<boolean> {
  const lapsed = sql<boolean>`(run_items.due_at is null or run_items.due_at <= ${momentOf(kind)})`;
  return kind === 'sqlite'
    ? lapsed
    : sql<boolean>`${lapsed} and pg_postmaster_start_time() < now() - ${heartbeatMs} * interval '1 millisecond'`;
}

/**
 * Whether a worker (`host:pid:…`) has surely ended: a file serves one machine, and its process is gone. Of other
 * machines nobody here knows.
 */
function hasEnded(kind: Kind, worker: string): boolean {
  const [, host, pid] = /^(.*):(\d+):[^:]*$/.exec(worker) ?? [];
  if (kind !== 'sqlite' || host !== hostname() || !pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
