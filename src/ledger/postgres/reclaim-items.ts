import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Database, Trx } from '../database/database.ts';
import { putDownAfterDeath, type Holder } from '../runs/item-outcomes.ts';
import { inTransaction, jobIdInSql, requeueJobs, setJobApart } from './job-queues.ts';

type Lapsed = Holder & { id: string; alone: number; planned: number | null };

interface Terms {
  /** Of pg-boss. */
  schema: string;
  attempts: number;
  heartbeatMs: number;
}

/**
 * Items whose worker is heard of no more wait again, to be tried by themselves; those that were, and whose last attempt
 * it was, are set aside. Any
 * number of workers may do it at the same moment: the row of an item tells the first one apart. Only items that run
 * are looked at. A server that has just been started gives everybody time to be heard of again.
 */
export async function reclaimLapsedItems(
  { db, write }: Database,
  boss: PgBoss,
  { schema, attempts, heartbeatMs }: Terms,
): Promise<void> {
  // `offset 0` keeps the order of the joins: run after run, and its jobs by their ids, however many wait.
  const lastHeard = sql`now() - ${heartbeatMs} * interval '1 millisecond'`;
  const { rows } = await sql<Lapsed>`
    select held.run, held.position, held.worker, held.attempts, held.alone, job.id, ${plannedAttempts} as planned
    from runs
    cross join lateral (select run, position, worker, attempts, alone, ${jobIdInSql} as job from run_items
      where run = runs.id and state = 'running' offset 0) as held
    cross join lateral (select id, state, heartbeat_on from ${sql.table(`${schema}.job`)}
      where name = held.run collate "default" and id = held.job offset 0) as job
    where runs.state <> 'finished' and job.state = 'active' and job.heartbeat_on < ${lastHeard}
      and pg_postmaster_start_time() < ${lastHeard}
    order by held.run, held.position`.execute(db);
  for (const [run, lapsed] of Map.groupBy(rows, (item) => item.run)) {
    await write(async (trx) => {
      const again = new Map<string, Holder>();
      const last: string[] = [];
      for (const { id, planned, alone, ...held } of lapsed) {
        const state = await putDownAfterDeath(trx, { ...held, alone: alone === 1 }, planned ?? attempts);
        if (state === 'failed') last.push(id);
        if (state === 'waiting') again.set(id, { ...held, attempts: held.attempts + alone });
      }
      await requeueJobs(boss, trx, run, [...again.keys()]);
      for (const held of again.values()) await setJobApart(boss, trx, held);
      if (last.length > 0) await boss.deleteJob(run, last, inTransaction(trx));
    });
  }
}

/**
 * How often the items of a run are tried, as its plan says: a worker works on many runs. Null where the plan says
 * nothing.
 */
const plannedAttempts = sql<number | null>`cast(cast(runs.settings as json) ->> 'attempts' as integer)`;

export async function readPlannedAttempts(trx: Trx, run: string, usual: number): Promise<number> {
  const row = await trx
    .selectFrom('runs')
    .select(plannedAttempts.as('attempts'))
    .where('id', '=', run)
    .executeTakeFirst();
  return row?.attempts ?? usual;
}
