import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Trx } from '../database/database.ts';
import { cutSlices, enqueueSlices } from './slices.ts';

/**
 * Jobs of earlier releases, which lie under the name of the run and are one item each: their workers may still be there,
 * or have left them. Makes slices of the first of those that wait; says whether there were any.
 */
export async function adoptItemJobs(
  trx: Trx,
  boss: PgBoss,
  { schema, run, count }: { schema: string; run: string; count: number },
): Promise<boolean> {
  const jobs = sql.table(`${schema}.job`);
  const { rows } = await sql<{ from: number; to: number; alone: boolean }>`
    with found as materialized (
      select id from ${jobs} where name = ${run} and state < 'active' and start_after <= ${sql.table(schema)}.job_now()
      order by priority desc limit ${count} for update skip locked)
    delete from ${jobs} as job using found where job.name = ${run} and job.id = found.id
    returning coalesce(job.data ->> 'from', job.data ->> 'position')::bigint as "from",
      coalesce(job.data ->> 'to', job.data ->> 'position')::bigint as "to", job.priority > 0 as alone`.execute(trx);
  const single = rows.filter(({ from, to, alone }) => from === to && !alone).map(({ from }) => from);
  await enqueueSlices(trx, boss, run, [
    ...cutSlices(
      single.sort((a, b) => a - b),
      count,
    ),
    ...rows.filter(({ from, to, alone }) => from < to && !alone),
    ...rows.filter(({ alone }) => alone).map(({ from, to }) => ({ from, to, alone: 0 })),
  ]);
  return rows.length > 0;
}
