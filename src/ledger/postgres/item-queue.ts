import type { Database } from '../database.ts';
import { letGo, retryItem, setItemAside, type Holder } from '../item-outcomes.ts';
import type { ItemQueue, QueueOptions, TakenItem } from '../item-queue.ts';
import { claimOf, requeue, touched } from './claims.ts';
import { finishWithJob } from './finish-item.ts';
import { within, type JobQueues } from './job-queues.ts';
import { attemptsFor } from './planned-attempts.ts';
import { reclaimLapsed } from './reclaim.ts';
import { takeItems } from './take-items.ts';

/**
 * The queue of one worker on pg-boss. A job waits, or is in a worker's hands, exactly when its item does: both change
 * in one transaction. Whether an outcome stands is decided by the item's row, so it is changed first; who takes
 * begins with the job.
 */
export async function jobQueue(database: Database, queues: JobQueues, options: QueueOptions): Promise<ItemQueue> {
  const { worker, attempts = 3, retryDelayMs = 1_000, heartbeatMs = 30_000 } = options;
  const { db, write } = database;
  const boss = await queues.boss();
  const holder = ({ run, position, attempts: before }: TakenItem): Holder => ({
    run,
    position,
    worker,
    attempts: before,
  });
  return {
    heartbeatMs,
    take: async (run, count) => (count < 1 ? [] : takeItems(write, await queues.open(run), { run, count, worker })),

    async keep(items) {
      const runs = [...Map.groupBy(items, ({ run }) => run)];
      const held = new Set(
        (await Promise.all(runs.map(([run, ofRun]) => touched(boss, run, ofRun.map(claimOf))))).flat(),
      );
      return items.filter((item) => !held.has(claimOf(item).id));
    },

    finish: async (item, result) => finishWithJob(db, await queues.schema(), holder(item), claimOf(item).id, result),

    fail: (item, error, { retry }) =>
      write(async (trx) => {
        if (retry && item.attempts + 1 < (await attemptsFor(trx, item.run, attempts))) {
          const pauseMs = retryDelayMs * 2 ** item.attempts;
          if (!(await retryItem(trx, holder(item), error, new Date(Date.now() + pauseMs)))) return 'lost';
          await requeue(boss, trx, item.run, [claimOf(item).id], pauseMs);
          return 'waiting';
        }
        if (!(await setItemAside(trx, holder(item), error))) return 'lost';
        await boss.deleteJob(item.run, claimOf(item).id, within(trx));
        return 'failed';
      }),

    async giveBack(items) {
      for (const [run, ofRun] of Map.groupBy(items, (item) => item.run)) {
        await write(async (trx) => {
          const given: string[] = [];
          // In the order in which others change them too, so that nobody waits in a circle.
          for (const item of ofRun.toSorted((a, b) => a.position - b.position))
            if (await letGo(trx, holder(item))) given.push(claimOf(item).id);
          await requeue(boss, trx, run, given);
        });
      }
    },

    reclaim: async () => reclaimLapsed(database, boss, { schema: await queues.schema(), attempts, heartbeatMs }),
    close: async () => undefined,
  };
}
