import { sql } from 'kysely';
import type { QueueHooks } from '../queue-hooks.ts';
import { jobIdOf, within, type JobQueues } from './job-queues.ts';

const mostUrgent = 2_147_483_647;

/** Jobs of pg-boss come and go in the transaction that changes `run_items`. */
export function jobHooks(queues: JobQueues): QueueHooks {
  return {
    async prepare(run) {
      await queues.open(run);
    },
    async enqueue(trx, run, positions) {
      if (positions.length === 0) return;
      const boss = await queues.open(run);
      // The jobs of a batch have one moment in common; their order is that of the input.
      const jobs = positions.map((position) => ({
        id: jobIdOf(run, position),
        data: { position },
        priority: -Math.min(position, mostUrgent),
      }));
      await boss.insert(run, jobs, within(trx));
    },
    async dequeueWaiting(trx, run) {
      await queues.open(run);
      await sql`delete from ${sql.table(`${await queues.schema()}.job`)} where name = ${run} and state < 'active'`.execute(
        trx,
      );
    },
  };
}
