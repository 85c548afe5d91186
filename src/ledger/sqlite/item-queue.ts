import type { Database } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { fromStored } from '../database/stored-json.ts';
import { finishItem, releaseItem, retryItem, setItemAside, type Holder } from '../runs/item-outcomes.ts';
import type { FleetParts, ItemQueue, QueueOptions, TakenItem } from '../runs/workers.ts';
import { freeItemsOfDeadWorkers } from './free-items.ts';

/** How long a worker that is not heard of keeps what it took. */
const quietMs = 60_000;
const attemptsAtMost = 3;
const firstPauseMs = 1_000;

/** A file serves one machine: there is no fleet, and the items of runs are the queue. */
export function sqliteFleet(database: Database): FleetParts {
  return { fleet: null, hooks: null, queue: async (options) => sqliteQueue(database, options) };
}

function sqliteQueue(
  { db, write }: Database,
  { worker, attempts = attemptsAtMost, retryDelayMs = firstPauseMs, heartbeatMs = quietMs }: QueueOptions,
): ItemQueue {
  const holder = ({ run, position, attempts: before }: TakenItem): Holder => ({
    run,
    position,
    worker,
    attempts: before,
  });
  const lease = () => new Date(Date.now() + heartbeatMs).toISOString();
  const reclaim = () => freeItemsOfDeadWorkers(db, write, worker, attempts);
  let freed: Promise<void> | null = null;

  return {
    heartbeatMs,
    reclaimItems: reclaim,

    async takeItems(run, count) {
      // What a process left that was killed is there for the next one at once.
      await (freed ??= reclaim().catch((error: unknown) => {
        freed = null;
        throw error;
      }));
      if (count < 1) return [];
      const now = new Date().toISOString();
      const rows = await write((trx) =>
        trx
          .updateTable('run_items')
          .set({ state: 'running', worker, due_at: lease() })
          .where('run', '=', run)
          .where(({ eb, selectFrom }) => {
            const waiting = selectFrom('run_items as next')
              .select('next.position')
              .where('next.run', '=', run)
              .where('next.state', '=', 'waiting');
            const due = waiting.where((next) =>
              next.or([next('next.due_at', 'is', null), next('next.due_at', '<=', now)]),
            );
            return eb('position', 'in', due.orderBy('next.position').limit(count));
          })
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('runs').select('runs.id').where('runs.id', '=', run).where('runs.state', '<>', 'cancelled'),
            ),
          )
          .returning(['position', 'version', 'key', 'hash', 'input', 'expected', 'attempts'])
          .execute(),
      );
      return rows
        .map(({ position, version, key, hash, input, expected, attempts: before }) => ({
          run,
          position,
          key,
          hash,
          input: input === null ? null : fromStored('run-item', version, input),
          expected,
          attempts: before,
          claim: worker,
        }))
        .sort((a, b) => a.position - b.position);
    },

    async renewItems(items) {
      const lost: TakenItem[] = [];
      for (const [run, ofRun] of Map.groupBy(items, (item) => item.run)) {
        const rows = await write((trx) =>
          trx
            .updateTable('run_items')
            .set({ due_at: lease() })
            .where('run', '=', run)
            .where('state', '=', 'running')
            .where('worker', '=', worker)
            .where(
              oneOf(
                'sqlite',
                'position',
                ofRun.map(({ position }) => position),
              ),
            )
            .returning(['position', 'attempts'])
            .execute(),
        );
        const held = new Map(rows.map(({ position, attempts: before }) => [position, before]));
        lost.push(...ofRun.filter(({ position, attempts: before }) => held.get(position) !== before));
      }
      return lost;
    },

    finishItem: (item, result) => write((trx) => finishItem(trx, holder(item), result)),

    failItem: (item, error, { retry }) =>
      write(async (trx) => {
        if (retry && item.attempts + 1 < attempts) {
          const dueAt = new Date(Date.now() + retryDelayMs * 2 ** item.attempts);
          return (await retryItem(trx, holder(item), error, dueAt)) ? 'waiting' : 'lost';
        }
        return (await setItemAside(trx, holder(item), error)) ? 'failed' : 'lost';
      }),

    async giveBackItems(items) {
      await write(async (trx) => {
        for (const item of items) await releaseItem(trx, holder(item));
      });
    },

    close: async () => undefined,
  };
}
