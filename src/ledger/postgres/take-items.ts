import type { PgBoss } from 'pg-boss';
import type { Write } from '../database.ts';
import type { TakenItem } from '../item-queue.ts';
import { oneOf } from '../one-of.ts';
import { fromStored } from '../stored-json.ts';
import { claimText } from './claims.ts';
import { within } from './job-queues.ts';

/** Fetches jobs, and marks their items as this worker's. */
export function takeItems(
  write: Write,
  boss: PgBoss,
  { run, count, worker }: { run: string; count: number; worker: string },
): Promise<readonly TakenItem[]> {
  return write(async (trx) => {
    const jobs = await boss.fetch<{ position: number }>(run, { batchSize: count, ...within(trx) });
    if (jobs.length === 0) return [];
    const rows = await trx
      .updateTable('run_items')
      .set({ state: 'running', worker, due_at: null })
      .where('run', '=', run)
      .where(
        oneOf(
          'postgresql',
          'position',
          jobs.map(({ data }) => data.position),
        ),
      )
      .where('state', 'in', ['waiting', 'running'])
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('runs').select('runs.id').where('runs.id', '=', run).where('runs.state', '<>', 'cancelled')),
      )
      .returning(['position', 'version', 'key', 'hash', 'input', 'expected', 'attempts'])
      .execute();
    const claims = new Map(jobs.map((job) => [job.data.position, claimText(job)]));
    // What came back after its run was cancelled leaves the queue: when the run goes on it is queued again.
    const found = new Set(rows.map(({ position }) => position));
    const idle = jobs.filter(({ data }) => !found.has(data.position)).map(({ id }) => id);
    if (idle.length > 0) await boss.deleteJob(run, idle, within(trx));
    return rows
      .map(({ position, version, key, hash, input, expected, attempts }) => ({
        run,
        position,
        key,
        hash,
        input: input === null ? null : fromStored('run-item', version, input),
        expected,
        attempts,
        claim: claims.get(position)!,
      }))
      .sort((a, b) => a.position - b.position);
  });
}
