import { sql } from 'kysely';
import type { FetchOptions, PgBoss } from 'pg-boss';
import type { Database, Db, Write } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { fromStored } from '../database/stored-json.ts';
import { releaseItem, retryItem, setItemAside, type Holder } from '../runs/item-outcomes.ts';
import { makeResultColumns } from '../runs/run-rows.ts';
import type { ItemResult } from '../runs/runs.ts';
import type { FleetParts, ItemQueue, QueueHooks, QueueOptions, TakenItem } from '../runs/workers.ts';
import { findProcessHands } from '../runs/process-hands.ts';
import { fleetStore } from './fleet-store.ts';
import {
  computeAlonePriority,
  computePriority,
  createJobQueues,
  formatClaim,
  inTransaction,
  makeJobId,
  parseClaim,
  requeueJobs,
  touchClaims,
  type JobQueues,
} from './job-queues.ts';
import { readPlannedAttempts, reclaimLapsedItems } from './reclaim-items.ts';

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
    },
    async enqueue(trx, run, items) {
      if (items.length === 0) return;
      const boss = await queues.open(run);
      const jobs = items.map(({ position, alone }) => ({
        id: makeJobId(run, position),
        data: { position },
        priority: alone ? computeAlonePriority(position, 0) : computePriority(position),
      }));
      await boss.insert(run, jobs, inTransaction(trx));
    },
    async dequeueWaiting(trx, run) {
      await queues.open(run);
      const table = sql.table(`${await queues.schema()}.job`);
      await sql`delete from ${table} where name = ${run} and state < 'active'`.execute(trx);
    },
  };
}

/**
 * The queue of one worker on pg-boss. A job waits, or is in a worker's hands, exactly when its item does: both change
 * in one transaction. Whether an outcome stands is decided by the item's row, so it is changed first; who takes
 * begins with the job.
 */
export async function createItemQueue(
  database: Database,
  queues: JobQueues,
  options: QueueOptions,
): Promise<ItemQueue> {
  const { worker, attempts = 3, retryDelayMs = 1_000, heartbeatMs = 30_000 } = options;
  const { db, write } = database;
  const boss = await queues.boss();
  const hands = findProcessHands(worker);
  const holder = ({ run, position, attempts: before }: TakenItem): Holder => ({
    run,
    position,
    worker,
    attempts: before,
  });
  return {
    heartbeatMs,
    async takeItems(run, count) {
      if (count < 1) return [];
      const ready = await queues.open(run);
      return hands.take(worker, run, {
        takeSeveral: () => takeItems(write, ready, { run, worker, which: { batchSize: count, maxPriority: 0 } }),
        isOneToTryAlone: () => isOneToTryAlone(db, run),
        takeOneAlone: () => takeItems(write, ready, { run, worker, which: { batchSize: 1, minPriority: 1 } }),
      });
    },

    async renewItems(items) {
      const runs = [...Map.groupBy(items, ({ run }) => run)];
      const held = new Set(
        (await Promise.all(runs.map(([run, ofRun]) => touchClaims(boss, run, ofRun.map(parseClaim))))).flat(),
      );
      const lost = items.filter((item) => !held.has(parseClaim(item).id));
      hands.letGo(worker, lost);
      return lost;
    },

    async finishItem(item, result) {
      try {
        return await finishItemAndJob(db, await queues.schema(), holder(item), parseClaim(item).id, result);
      } finally {
        hands.letGo(worker, [item]);
      }
    },

    failItem: (item, error, { retry }) =>
      write(async (trx): Promise<'waiting' | 'failed' | 'lost'> => {
        if (retry && item.attempts + 1 < (await readPlannedAttempts(trx, item.run, attempts))) {
          const pauseMs = retryDelayMs * 2 ** item.attempts;
          if (!(await retryItem(trx, holder(item), error, momentOf('postgresql', pauseMs)))) return 'lost';
          await requeueJobs(boss, trx, item.run, [parseClaim(item).id], pauseMs);
          return 'waiting';
        }
        if (!(await setItemAside(trx, holder(item), error))) return 'lost';
        await boss.deleteJob(item.run, parseClaim(item).id, inTransaction(trx));
        return 'failed';
      }).finally(() => hands.letGo(worker, [item])),

    async giveBackItems(items) {
      hands.letGo(worker, items);
      for (const [run, ofRun] of Map.groupBy(items, (item) => item.run)) {
        await write(async (trx) => {
          const given: string[] = [];
          // In the order in which others change them too, so that nobody waits in a circle.
          for (const item of ofRun.toSorted((a, b) => a.position - b.position))
            if (await releaseItem(trx, holder(item))) given.push(parseClaim(item).id);
          await requeueJobs(boss, trx, run, given);
        });
      }
    },

    reclaimItems: async () =>
      reclaimLapsedItems(database, boss, { schema: await queues.schema(), attempts, heartbeatMs }),
    close: async () => hands.leave(worker),
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

/** Fetches jobs, and marks their items as this worker's. */
function takeItems(
  write: Write,
  boss: PgBoss,
  { run, worker, which }: { run: string; worker: string; which: FetchOptions },
): Promise<readonly TakenItem[]> {
  return write(async (trx) => {
    const jobs = await boss.fetch<{ position: number }>(run, { ...which, ...inTransaction(trx) });
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
    const claims = new Map(jobs.map((job) => [job.data.position, formatClaim(job)]));
    // What came back after its run was cancelled leaves the queue: when the run goes on it is queued again.
    const found = new Set(rows.map(({ position }) => position));
    const idle = jobs.filter(({ data }) => !found.has(data.position)).map(({ id }) => id);
    if (idle.length > 0) await boss.deleteJob(run, idle, inTransaction(trx));
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

/**
 * What `finishItem` does, and the job goes with it: it takes no room, for the result is in `run_items`. Every item
 * comes by here, so it is one statement: one way to the server and back instead of five.
 */
async function finishItemAndJob(
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
        .set({ state: 'done', input: null, due_at: null, error: null, ended_at, ...makeResultColumns(result) })
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
        }>`(delete from ${sql.table(`${schema}.job`)} where name = ${run} and id = ${job}
          and exists (select 1 from done) returning id)`,
    )
    .selectFrom('done')
    .select('position')
    .execute();
  return done.length > 0;
}
