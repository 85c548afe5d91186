import type { Database, Db, Write } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { fromStored, toStored } from '../database/stored-json.ts';
import {
  endSameItems,
  finishItem,
  makeWorkerDiedError,
  releaseItem,
  retryItem,
  setItemAside,
  type Holder,
} from '../runs/item-outcomes.ts';
import { decidedFinisher } from '../runs/finish-decided.ts';
import { findProcessHands } from '../runs/process-hands.ts';
import type { FleetParts, ItemQueue, QueueOptions, TakenItem } from '../runs/workers.ts';
import { hostname } from 'node:os';
import { sql } from 'kysely';

/** How long a worker that is not heard of keeps what it took. */
const quietMs = 60_000;
const attemptsAtMost = 3;
const firstPauseMs = 1_000;

/** A file serves one machine: there is no fleet, and the items of runs are the queue. */
export function sqliteFleet(database: Database): FleetParts {
  return { fleet: null, hooks: null, queue: async (options) => sqliteQueue(database, options) };
}

function sqliteQueue(
  database: Database,
  { worker, attempts = attemptsAtMost, retryDelayMs = firstPauseMs, heartbeatMs = quietMs }: QueueOptions,
): ItemQueue {
  const { db, write } = database;
  const holder = ({ run, position, attempts: before }: TakenItem): Holder => ({
    run,
    position,
    worker,
    attempts: before,
  });
  const lease = () => new Date(Date.now() + heartbeatMs).toISOString();
  const reclaim = () => freeItemsOfDeadWorkers(db, write, worker, attempts);
  const hands = findProcessHands(worker);
  const finishDecided = decidedFinisher(database, async (trx, finished) => {
    const stands: boolean[] = [];
    for (const { item, result } of finished) stands.push(await finishItem(trx, holder(item), result));
    return stands;
  });
  const longestPauseMs = retryDelayMs * 2 ** attempts;
  let freed: Promise<void> | null = null;

  /** Those that are tried by themselves come in turn, so that a process that is killed again and again blames none. */
  async function take(run: string, count: number, alone: 0 | 1): Promise<readonly TakenItem[]> {
    const rows = await write((trx) =>
      trx
        .updateTable('run_items')
        .set({ state: 'running', worker, due_at: lease() })
        .where('run', '=', run)
        .where(({ eb }) => {
          const due = selectDue(trx, run, alone, longestPauseMs);
          const inTurn = alone ? due.orderBy('next.attempts') : due;
          return eb('position', 'in', inTurn.orderBy('next.position').limit(count));
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
  }

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
      return hands.take(worker, run, {
        takeSeveral: () => take(run, count, 0),
        isOneToTryAlone: async () =>
          (await selectDue(db, run, 1, longestPauseMs).limit(1).executeTakeFirst()) !== undefined,
        takeOneAlone: () => take(run, 1, 1),
      });
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
      hands.letGo(worker, lost);
      return lost;
    },

    finishItem: (item, result) =>
      write((trx) => finishItem(trx, holder(item), result)).finally(() => hands.letGo(worker, [item])),

    async finishDecided(item, result, decided) {
      let stands: boolean | null = false;
      try {
        return (stands = await finishDecided(item, result, decided));
      } finally {
        if (stands !== null) hands.letGo(worker, [item]);
      }
    },

    failItem: (item, error, { retry }) =>
      write(async (trx): Promise<'waiting' | 'failed' | 'lost'> => {
        if (retry && item.attempts + 1 < attempts) {
          const dueAt = momentOf('sqlite', retryDelayMs * 2 ** item.attempts);
          return (await retryItem(trx, holder(item), error, dueAt)) ? 'waiting' : 'lost';
        }
        return (await setItemAside(trx, holder(item), error)) ? 'failed' : 'lost';
      }).finally(() => hands.letGo(worker, [item])),

    giveBackItems: (items) =>
      write(async (trx) => {
        for (const item of items) await releaseItem(trx, holder(item));
      }).finally(() => hands.letGo(worker, items)),

    close: async () => hands.leave(worker),
  };
}

/**
 * Items of a run that wait, and may be taken now: a pause that is longer than any was begun by a clock that has been
 * set back since.
 */
function selectDue(db: Db, run: string, alone: 0 | 1, longestPauseMs: number) {
  return db
    .selectFrom('run_items as next')
    .select('next.position')
    .where('next.run', '=', run)
    .where('next.state', '=', 'waiting')
    .where('next.alone', '=', alone)
    .where((next) =>
      next.or([
        next('next.due_at', 'is', null),
        next('next.due_at', '<=', momentOf('sqlite')),
        next('next.due_at', '>', momentOf('sqlite', longestPauseMs)),
      ]),
    );
}

/**
 * The items of workers that have ended, or were not heard of for too long, wait again and are tried by themselves;
 * those that too many workers ended with in that state are set aside.
 */
async function freeItemsOfDeadWorkers(db: Db, write: Write, self: string, attemptsAtMost: number): Promise<void> {
  const now = new Date().toISOString();
  // One run after the other: so the index by state is used.
  const held = await sql<{ run: string; worker: string; quiet: number }>`
    select run_items.run, run_items.worker, max(run_items.due_at is null or run_items.due_at <= ${now}) as quiet
    from runs cross join run_items on run_items.run = runs.id and run_items.state = 'running'
    where run_items.worker <> ${self} group by 1, 2`.execute(db);
  const ended = new Map<string, boolean>();
  for (const { worker } of held.rows) if (!ended.has(worker)) ended.set(worker, hasEnded(worker));
  const toFree = held.rows.filter(({ worker, quiet }) => quiet === 1 || ended.get(worker));
  if (toFree.length === 0) return;
  await write(async (trx) => {
    for (const { run, worker } of toFree) {
      const last = sql`alone = 1 and attempts + 1 >= ${attemptsAtMost}`;
      const error = toStored(makeWorkerDiedError(attemptsAtMost));
      const { rows } = await sql<{ position: number; state: string }>`
        update run_items set attempts = attempts + alone, alone = 1,
          state = case when ${last} then 'failed' else 'waiting' end,
          worker = case when ${last} then worker end, due_at = null,
          error = case when ${last} then ${error} else error end, ended_at = case when ${last} then ${now} end
        where run = ${run} and state = 'running' and worker = ${worker} and (${ended.get(worker) ? 1 : 0}
          or due_at is null or due_at <= ${now})
        returning position, state`.execute(trx);
      for (const { position, state } of rows) if (state === 'failed') await endSameItems(trx, run, position, now);
    }
  });
}

/**
 * Whether a worker (`host:pid:…`) has surely ended: its process was on this machine, and is gone. Of other machines
 * nobody here knows.
 */
function hasEnded(worker: string): boolean {
  const [, host, pid] = /^(.*):(\d+):[^:]*$/.exec(worker) ?? [];
  if (host !== hostname() || !pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
