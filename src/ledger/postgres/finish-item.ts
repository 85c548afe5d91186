import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Holder } from '../item-outcomes.ts';
import { resultColumns } from '../run-item-rows.ts';
import type { ItemResult } from '../runs.ts';

/**
 * What `finishItem` does, and the job goes with it: it takes no room, for the result is in `run_items`. Every item
 * comes by here, so it is one statement: one way to the server and back instead of five.
 */
export async function finishWithJob(
  db: Db,
  schema: string,
  { run, position, worker, attempts }: Holder,
  job: string,
  result: ItemResult,
): Promise<boolean> {
  const ended_at = new Date().toISOString();
  const done = await db
    .with('done', (query) =>
      query
        .updateTable('run_items')
        .set({ state: 'done', input: null, due_at: null, error: null, ended_at, ...resultColumns(result) })
        .where('run', '=', run)
        .where('position', '=', position)
        .where('state', '=', 'running')
        .where('worker', '=', worker)
        .where('attempts', '=', attempts)
        .returning('position'),
    )
    .with('same', (query) =>
      query
        .updateTable('run_items')
        .set({ ended_at })
        .where('run', '=', run)
        .where('same_as', 'in', (of) => of.selectFrom('done').select('position'))
        .returning('position'),
    )
    .with(
      'gone',
      () =>
        sql<{
          id: string;
        }>`(delete from ${sql.table(`${schema}.job`)} where name = ${run} and id = ${job} and exists (select 1 from done) returning id)`,
    )
    .selectFrom('done')
    .select('position')
    .execute();
  return done.length > 0;
}
