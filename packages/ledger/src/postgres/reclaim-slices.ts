import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Database, Trx } from '../database/database.ts';
import { toStored } from '../database/stored-json.ts';
import { endSameItems, makeWorkerDiedError } from '../runs/item-outcomes.ts';
import { readPlannedTerms } from './planned-terms.ts';
import { nameQueue, sliceGroup } from './queue-schema.ts';
import { cutSlices, enqueueSlices, isNotCancelled, waitsInSlice, type SliceClaim } from './slices.ts';

interface Terms {
  /** Of pg-boss. */
  schema: string;
  attempts: number;
  heartbeatMs: number;
}

type Lapsed = SliceClaim & { run: string; name: string };

/**
 * Slices whose worker is heard of no more are taken apart. What it had begun waits again, each item to be tried by
 * itself; those that were, and whose last attempt it was, are set aside. What it had not begun waits as before, in two
 * halves. Any number of workers may do it at the same moment: whoever takes the job away does it. A server that has
 * just been started gives everybody time to be heard of again.
 */
export async function reclaimLapsedSlices(
  { db, write }: Database,
  open: (run: string) => Promise<PgBoss>,
  { schema, attempts, heartbeatMs }: Terms,
): Promise<void> {
  const jobs = sql.table(`${schema}.job`);
  const hasLapsed = sql`job.state = 'active' and job.heartbeat_on < now() - ${heartbeatMs} * interval '1 millisecond'
    and pg_postmaster_start_time() < now() - ${heartbeatMs} * interval '1 millisecond'`;
  const { rows } = await sql<Lapsed>`
    select runs.id as run, job.name, job.id, job.retry_count as "retryCount"
    from runs join ${jobs} as job on job.name = ${nameQueueInSql}
    where job.group_id = ${sliceGroup} and ${hasLapsed}`.execute(db);
  for (const { run, name, id, retryCount } of rows) {
    const planned = await readPlannedTerms(db, run);
    const boss = await open(run);
    await write(async (trx) => {
      const taken = await sql<{ from: number; to: number; worker: string | null }>`
        delete from ${jobs} as job
        where job.name = ${name} and job.id = ${id} and job.retry_count = ${retryCount} and ${hasLapsed}
        returning (job.data ->> 'from')::bigint as "from", (job.data ->> 'to')::bigint as "to",
          job.data ->> 'worker' as worker`.execute(trx);
      const [slice] = taken.rows;
      if (!slice) return;
      const begun = await putDownBegun(trx, run, slice, planned?.attempts ?? attempts);
      const rest = await listRest(trx, run, slice);
      await enqueueSlices(trx, boss, run, [...begun, ...cutSlices(rest, Math.ceil(rest.length / 2))]);
    });
  }
}

const nameQueueInSql = sql`${sql.raw(`runs.id collate "default" || '${nameQueue('')}'`)}`;

/** What a dead worker had begun of a slice. Returns what is to be tried again. */
async function putDownBegun(
  trx: Trx,
  run: string,
  { from, to, worker }: { from: number; to: number; worker: string | null },
  attemptsAtMost: number,
) {
  const now = new Date().toISOString();
  const last = sql`alone = 1 and attempts + 1 >= ${attemptsAtMost}`;
  const error = toStored(makeWorkerDiedError(attemptsAtMost));
  const { rows } = await sql<{ position: number; attempts: number; state: string }>`
    update run_items set attempts = attempts + alone, alone = 1,
      state = case when ${last} then 'failed' else 'waiting' end,
      worker = case when ${last} then worker end, due_at = null,
      error = case when ${last} then ${error} else error end, ended_at = case when ${last} then ${now} end
    where run = ${run} and position between ${from} and ${to} and state = 'running'
      and worker = coalesce(${worker}, worker)
    returning position, attempts, state`.execute(trx);
  for (const { position, state } of rows) if (state === 'failed') await endSameItems(trx, run, position, now);
  return rows
    .filter(({ state }) => state === 'waiting')
    .map(({ position, attempts }) => ({ from: position, to: position, alone: attempts }));
}

/** What of a slice was not begun. */
async function listRest(trx: Trx, run: string, { from, to }: { from: number; to: number }): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select run_items.position from run_items where run_items.run = ${run}
      and run_items.position between ${from} and ${to} and ${waitsInSlice} and ${isNotCancelled(run)}
    order by run_items.position`.execute(trx);
  return rows.map(({ position }) => position);
}
