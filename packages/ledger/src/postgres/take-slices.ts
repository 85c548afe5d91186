import { sql, type Selectable } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Db, Trx } from '../database/database.ts';
import { fromStored } from '../database/stored-json.ts';
import type { TakenItem } from '../runs/workers.ts';
import type { RunItemRows } from '../tables/tables.ts';
import { inTransaction } from './job-queues.ts';
import { nameQueue, sliceGroup } from './queue-schema.ts';
import { claimRows, enqueueSlices, isNotCancelled, waitsInSlice, type SliceClaim, type Slice } from './slices.ts';

/** Jobs that wait, the oldest first; from now on they are in the hands of whoever asked. */
export async function fetchSlices(
  trx: Trx,
  boss: PgBoss,
  run: string,
  { atMost, alone }: { atMost: number; alone: boolean },
): Promise<(SliceClaim & Slice)[]> {
  const which = alone ? { minPriority: 1 } : { maxPriority: 0 };
  const jobs = await boss.fetch<Slice>(nameQueue(run), { batchSize: atMost, ...which, ...inTransaction(trx) });
  return jobs.map(({ id, retryCount, data }) => ({ id, retryCount, ...data }));
}

interface Mark {
  /** Of pg-boss. */
  schema: string;
  run: string;
  worker: string;
  claims: readonly SliceClaim[];
  count: number;
  /** What was fetched at this moment: a job of one item has waited until that was due. */
  fetched?: 'together' | 'alone';
  /**
   * Positions that this worker has in hand, where the answer to an earlier mark was lost: what else is marked as its
   * own was marked by that one.
   */
  unlike?: readonly number[];
}

/**
 * Marks the next items of slices as begun by this worker: one statement for all of them. The job's row is held for as
 * long as it takes, so that nobody cuts the slice meanwhile: what a worker has begun is always within its slices.
 */
export async function markItems(
  db: Db,
  { schema, run, worker, claims, count, fetched, unlike }: Mark,
): Promise<TakenItem[]> {
  const isDue = fetched
    ? sql`run_items.state = 'waiting' and run_items.alone = ${Number(fetched === 'alone')} and slice.first = slice.last`
    : sql`false`;
  const adopted = unlike
    ? sql`or run_items.state = 'running' and run_items.worker = ${worker} and run_items.position <> all(${unlike})`
    : sql``;
  const { rows } = await sql<Row>`
    with slice as (
      update ${sql.table(`${schema}.job`)} as job set heartbeat_on = ${sql.table(schema)}.job_now(),
        data = job.data || jsonb_build_object('worker', ${worker}::text)
      from ${claimRows(claims)}
      where job.name = ${nameQueue(run)} and job.id = claim.id and job.retry_count = claim.tries and job.state = 'active'
      returning job.id || ':' || job.retry_count as claim, (job.data ->> 'from')::bigint as first,
        (job.data ->> 'to')::bigint as last),
    next as (
      select run_items.position, slice.claim from slice
      join run_items on run_items.run = ${run} and run_items.position between slice.first and slice.last
      where (${waitsInSlice} or ${isDue} ${adopted}) and ${isNotCancelled(run)}
      order by run_items.position limit ${count} for no key update of run_items)
    update run_items set state = 'running', worker = ${worker}, due_at = null
    from next where run_items.run = ${run} and run_items.position = next.position
    returning run_items.position, run_items.version, run_items.key, run_items.hash, run_items.input,
      run_items.expected, run_items.attempts, next.claim`.execute(db);
  return rows
    .map(({ position, version, key, hash, input, expected, attempts, claim }) => ({
      run,
      position,
      key,
      hash,
      input: input === null ? null : fromStored('run-item', version, input),
      expected,
      attempts,
      claim,
    }))
    .sort((a, b) => a.position - b.position);
}

type Row = Pick<
  Selectable<RunItemRows>,
  'position' | 'version' | 'key' | 'hash' | 'input' | 'expected' | 'attempts'
> & {
  claim: string;
};

/** Of what is looked at to cut a slice: enough for any that was put in. */
const lookedAtMost = 2_000;

/**
 * Cuts the slice in which most has not been begun, whoever has it: the later half waits for whoever asked. So nobody
 * is idle while another has more than it can begin, and what is left of a run ends everywhere at once.
 */
export async function cutLongestSlice(trx: Trx, boss: PgBoss, schema: string, run: string): Promise<boolean> {
  const jobs = sql.table(`${schema}.job`);
  const { rows } = await sql<{ id: string; to: number; middle: number }>`
    select job.id, (job.data ->> 'to')::bigint as "to", open.middle from ${jobs} as job
    cross join lateral (select count(*) as items, (array_agg(position order by position))[count(*) / 2 + 1] as middle
      from (select position from run_items where run_items.run = ${run} and ${waitsInSlice} and run_items.position
        between (job.data ->> 'from')::bigint and (job.data ->> 'to')::bigint limit ${lookedAtMost}) as looked) as open
    where job.name = ${nameQueue(run)} and job.state = 'active' and job.group_id = ${sliceGroup} and job.priority <= 0
      and open.items > 0 and ${isNotCancelled(run)}
    order by open.items desc limit 1`.execute(trx);
  const [longest] = rows;
  if (!longest) return false;
  const { id, to, middle } = longest;
  const { numAffectedRows } = await sql`
    update ${jobs} set data = jsonb_set(data, '{to}', to_jsonb(${middle - 1}::bigint))
    where name = ${nameQueue(run)} and id = ${id} and state = 'active' and (data ->> 'to')::bigint = ${to}`.execute(
    trx,
  );
  // Somebody else came first.
  if (numAffectedRows !== 1n) return false;
  await enqueueSlices(trx, boss, run, [{ from: middle, to }]);
  return true;
}
