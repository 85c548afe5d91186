import { sql } from 'kysely';
import type { Database, Db, Trx } from '../database/database.ts';
import { gatherWrites } from '../database/gather-writes.ts';
import { momentOf } from '../database/moment.ts';
import { decidedFinisher, type Finished } from '../runs/finish-decided.ts';
import { retryItem, setItemAside, type Holder } from '../runs/item-outcomes.ts';
import { findProcessHands } from '../runs/process-hands.ts';
import type { FleetParts, ItemQueue, QueueHooks, QueueOptions, TakenItem } from '../runs/workers.ts';
import { finishItems } from './finish-items.ts';
import { fleetStore } from './fleet-store.ts';
import { holdSlices } from './hold-slices.ts';
import { createJobQueues, type JobQueues } from './job-queues.ts';
import { readPlannedTerms } from './planned-terms.ts';
import { nameQueue } from './queue-schema.ts';
import { reclaimLapsedSlices } from './reclaim-slices.ts';
import { enqueueSlices, sliceItems } from './slices.ts';

/** Workers on any number of machines, whose items wait in pg-boss. */
export function postgresFleet(database: Database): FleetParts {
  const queues = createJobQueues(database);
  return {
    fleet: fleetStore(database),
    hooks: createHooks(queues),
    queue: (options) => createItemQueue(database, queues, options),
  };
}

/** Jobs of pg-boss come and go in the transaction that changes `run_items`. */
function createHooks(queues: JobQueues): QueueHooks {
  return {
    async prepare(run) {
      await queues.open(run);
      await queues.sliceSize(run);
    },
    async enqueue(trx, run, items) {
      await enqueueSlices(trx, await queues.open(run), run, sliceItems(items, await queues.sliceSize(run)));
    },
    async dequeueWaiting(trx, run) {
      await queues.open(run);
      const table = sql.table(`${await queues.schema()}.job`);
      await sql`delete from ${table} where name = ${nameQueue(run)} and state < 'active'`.execute(trx);
    },
  };
}

/**
 * The queue of one worker on pg-boss. It holds slices of runs and takes items out of them. Whatever waits is in a slice
 * that waits or that somebody holds: both change in one transaction. Whose an item is, and whether an outcome stands,
 * is decided by its row.
 */
export async function createItemQueue(
  database: Database,
  queues: JobQueues,
  options: QueueOptions,
): Promise<ItemQueue> {
  const { worker, attempts = 3, retryDelayMs = 1_000, heartbeatMs = 30_000 } = options;
  const { db, write } = database;
  const boss = await queues.boss();
  const schema = await queues.schema();
  const hands = findProcessHands(worker);
  const slices = holdSlices(database, boss, schema, worker);
  const finish = gatherWrites((finished: readonly Finished[]) => finishItems(db, worker, finished));
  const finishDecided = decidedFinisher(database, (trx, finished) => finishItems(trx, worker, finished));
  const holder = ({ run, position, attempts: before }: TakenItem): Holder => ({
    run,
    position,
    worker,
    attempts: before,
  });
  /** What was begun to be ended, and is not: the database may have been away. */
  const unsettled = new Set<TakenItem>();

  /**
   * Items leave when their outcome is known, which null is not; until then their slice is held, so that nobody else has
   * them.
   */
  async function settle<Result>(items: readonly TakenItem[], work: () => Promise<Result>): Promise<Result> {
    for (const item of items) unsettled.add(item);
    let left = true;
    try {
      const result = await work();
      for (const item of items) unsettled.delete(item);
      left = result !== null;
      if (left) await slices.leave(items);
      return result;
    } finally {
      if (left) hands.letGo(worker, items);
    }
  }

  async function giveBack(items: readonly TakenItem[]): Promise<void> {
    for (const [run, ofRun] of Map.groupBy(items, (item) => item.run)) {
      const size = await queues.sliceSize(run);
      await write(async (trx) => {
        const given = await releaseItems(trx, worker, run, ofRun);
        await enqueueSlices(trx, boss, run, sliceItems(given, size));
      });
    }
  }

  return {
    heartbeatMs,
    async takeItems(run, count) {
      if (count < 1) return [];
      await queues.open(run);
      return hands.take(worker, run, {
        takeSeveral: () => slices.takeSeveral(run, count),
        isOneToTryAlone: () => isOneToTryAlone(db, run),
        takeOneAlone: () => slices.takeOneAlone(run),
      });
    },

    async renewItems(items) {
      await slices.renew();
      // Nobody is at them any more, and what they ended with was not heard.
      const inHand = new Set(items);
      const abandoned = [...unsettled].filter((item) => !inHand.has(item));
      if (abandoned.length > 0) await settle(abandoned, () => giveBack(abandoned));
      const lost: TakenItem[] = [];
      for (const [run, ofRun] of Map.groupBy(items, (item) => item.run)) {
        const held = await readHeld(db, worker, run, ofRun);
        lost.push(...ofRun.filter(({ position, attempts: before }) => held.get(position) !== before));
      }
      hands.letGo(worker, lost);
      await slices.leave(lost);
      return lost;
    },

    finishItem: (item, result) => settle([item], () => finish({ item, result })),

    finishDecided: (item, result, decided) => settle([item], () => finishDecided(item, result, decided)),

    failItem: (item, error, { retry }) =>
      settle([item], () =>
        write(async (trx): Promise<'waiting' | 'failed' | 'lost'> => {
          if (!retry || item.attempts + 1 >= ((await readPlannedTerms(trx, item.run))?.attempts ?? attempts))
            return (await setItemAside(trx, holder(item), error)) ? 'failed' : 'lost';
          const pauseMs = retryDelayMs * 2 ** item.attempts;
          if (!(await retryItem(trx, holder(item), error, momentOf('postgresql', pauseMs)))) return 'lost';
          const alone = slices.isAlone(item) ? { alone: item.attempts + 1 } : {};
          const { run, position } = item;
          await enqueueSlices(trx, boss, run, [{ from: position, to: position, pauseMs, ...alone }]);
          return 'waiting';
        }),
      ),

    giveBackItems: (items) => settle(items, () => giveBack(items)),

    reclaimItems: () => reclaimLapsedSlices(database, (run) => queues.open(run), { schema, attempts, heartbeatMs }),
    async close() {
      hands.leave(worker);
      await slices.close();
    },
  };
}

async function isOneToTryAlone(db: Db, run: string): Promise<boolean> {
  const query = db
    .selectFrom('run_items')
    .select('position')
    .where('run', '=', run)
    .where('state', '=', 'waiting')
    .where('alone', '=', 1)
    .where((item) => item.or([item('due_at', 'is', null), item('due_at', '<=', momentOf('postgresql'))]));
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** Of items, those that are this worker's: how often they were tried before, by position. */
async function readHeld(
  db: Db,
  worker: string,
  run: string,
  items: readonly TakenItem[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ position: number; attempts: number }>`
    select position, attempts from run_items where run = ${run}
      and position = any(${items.map(({ position }) => position)}) and state = 'running' and worker = ${worker}`.execute(
    db,
  );
  return new Map(rows.map(({ position, attempts }) => [position, attempts]));
}

/** They wait again as if nobody had taken them. Returns those that were this worker's, in the order of the input. */
async function releaseItems(trx: Trx, worker: string, run: string, items: readonly TakenItem[]) {
  // In the order in which others change them too, so that nobody waits in a circle.
  const { rows } = await sql<{ position: number; alone: number; attempts: number }>`
    with held as materialized (
      select run_items.position from run_items
      join unnest(${items.map(({ position }) => position)}::bigint[],
        ${items.map(({ attempts }) => attempts)}::integer[]) as given (position, attempts)
        on given.position = run_items.position and given.attempts = run_items.attempts
      where run_items.run = ${run} and run_items.state = 'running' and run_items.worker = ${worker}
      order by run_items.position for no key update of run_items)
    update run_items set state = 'waiting', worker = null, due_at = null
    from held where run_items.run = ${run} and run_items.position = held.position
    returning run_items.position, run_items.alone, run_items.attempts`.execute(trx);
  return rows.map((row) => ({ ...row, alone: row.alone === 1 })).sort((a, b) => a.position - b.position);
}
