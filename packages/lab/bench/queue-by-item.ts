import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { makeResultColumns } from '@agonhq/ledger/runs/run-rows';
import type { ItemQueue, TakenItem } from '@agonhq/ledger';

/*
 * The queue as it was, to measure against: a job is an item, taken with its row in a transaction, and ended with its row
 * and its job in one statement, item by item. Of a run whose plan has slices of one.
 */

export async function openQueueByItem(url: string, worker: string): Promise<ItemQueue> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    schema: 'agon_queue',
    createSchema: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();

  return {
    heartbeatMs: 30_000,
    async takeItems(run, count) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
        const jobs = await boss.fetch<{ from: number }>(`${run}.slices`, { batchSize: count, maxPriority: 0, db });
        const { rows } = await client.query<TakenItem & { input: string; position: string }>(
          `update run_items set state = 'running', worker = $1, due_at = null where run = $2 and position = any($3)
             and state in ('waiting', 'running')
             and exists (select 1 from runs where id = $2 and state <> 'cancelled')
           returning position, version, key, hash, input, expected, attempts`,
          [worker, run, jobs.map(({ data }) => data.from)],
        );
        await client.query('commit');
        const ids = new Map(jobs.map(({ id, data }) => [data.from, id]));
        return rows.map((row) => ({
          ...row,
          run,
          position: Number(row.position),
          input: JSON.parse(row.input) as unknown,
          claim: ids.get(Number(row.position))!,
        }));
      } finally {
        client.release();
      }
    },
    async finishItem({ run, position, attempts, claim }, result) {
      const columns = Object.entries(makeResultColumns(result));
      const { rowCount } = await pool.query(
        `with done as (update run_items set state = 'done', input = null, due_at = null, error = null, ended_at = $1,
             ${columns.map(([name], index) => `${name} = $${index + 7}`).join(', ')}
           where run = $2 and position = $3 and state = 'running' and worker = $4 and attempts = $5 returning position),
         same as (update run_items set ended_at = $1 where run = $2 and same_as in (select position from done)),
         gone as (delete from agon_queue.job where name = $2::text || '.slices' and id = $6 and exists (select 1 from done))
         select position from done`,
        [new Date().toISOString(), run, position, worker, attempts, claim, ...columns.map(([, value]) => value)],
      );
      return rowCount === 1;
    },
    finishDecided: async () => null,
    renewItems: async () => [],
    failItem: async (_, { message }) => {
      throw new Error(message);
    },
    giveBackItems: async () => undefined,
    reclaimItems: async () => undefined,
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}
