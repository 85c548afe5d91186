import { createHash } from 'node:crypto';
import pg from 'pg';
import { PgBoss } from 'pg-boss';

/*
 * A worker of the release before slices, as far as the queue sees it, with the statements of that release: a job is an
 * item, lies under the name of its run, and is taken away unread when it names none.
 */

export interface EarlierWorker extends AsyncDisposable {
  /** Queues items as that release does. */
  plan(run: string, positions: readonly number[]): Promise<void>;
  take(run: string, count: number): Promise<readonly EarlierItem[]>;
  finish(item: EarlierItem): Promise<boolean>;
}

interface EarlierItem {
  run: string;
  position: number;
  attempts: number;
  job: string;
}

export async function openEarlierWorker(url: string, worker: string): Promise<EarlierWorker> {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    schema: 'agon_queue',
    createSchema: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  return {
    async plan(run, positions) {
      await boss.createQueue(run, { retryLimit: 1_000_000, expireInSeconds: 86_400 });
      await boss.insert(
        run,
        positions.map((position) => ({ id: makeJobId(run, position), data: { position }, priority: -position })),
      );
    },
    async take(run, count) {
      await boss.createQueue(run, { retryLimit: 1_000_000, expireInSeconds: 86_400 });
      const client = await pool.connect();
      try {
        await client.query('begin');
        const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
        const jobs = await boss.fetch<{ position: number }>(run, { batchSize: count, maxPriority: 0, db });
        const { rows } = await client.query<{ position: string; attempts: number }>(
          `update run_items set state = 'running', worker = $1, due_at = null where run = $2 and position = any($3)
             and state in ('waiting', 'running') and exists (select 1 from runs where id = $2 and state <> 'cancelled')
           returning position, attempts`,
          [worker, run, jobs.map(({ data }) => data.position)],
        );
        const found = new Map(rows.map(({ position, attempts }) => [Number(position), attempts]));
        const idle = jobs.filter(({ data }) => !found.has(data.position)).map(({ id }) => id);
        if (idle.length > 0) await boss.deleteJob(run, idle, { db });
        await client.query('commit');
        return jobs
          .filter(({ data }) => found.has(data.position))
          .map(({ id, data: { position } }) => ({ run, position, attempts: found.get(position)!, job: id }));
      } finally {
        client.release();
      }
    },
    async finish({ run, position, attempts, job }) {
      const { rowCount } = await pool.query(
        `with done as (update run_items set state = 'done', input = null, due_at = null, error = null, ended_at = $1,
             case_id = $7, label = 'safe', score = 0, escalate = 0, decided_by = 'guard', calls = 0, input_tokens = 0,
             output_tokens = 0, cached_tokens = 0, cost_usd = 0, latency_ms = 0
           where run = $2 and position = $3 and state = 'running' and worker = $4 and attempts = $5 returning position),
         gone as (delete from agon_queue.job where name = $2 and id = $6 and exists (select 1 from done))
         select position from done`,
        [new Date().toISOString(), run, position, worker, attempts, job, `earlier-${position}`],
      );
      return rowCount === 1;
    },
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

function makeJobId(run: string, position: number): string {
  const hex = createHash('md5').update(`${run}:${position}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
