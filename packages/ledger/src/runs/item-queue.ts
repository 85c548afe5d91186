import { gatherWrites } from '../database/gather-writes.ts';
import type { Database } from '../database/database.ts';
import { momentOf } from '../database/moment.ts';
import { decidedFinisher, type Finished } from './finish-decided.ts';
import { finishItems } from './finish-items.ts';
import { freeItemsOfDeadWorkers } from './free-items.ts';
import { readPlannedAttempts, releaseItem, retryItem, setItemAside, type Holder } from './item-outcomes.ts';
import { findProcessItems } from './process-items.ts';
import { releaseStrays, renewLeases, selectDue, takeDueItems, type Take } from './take-items.ts';
import type { ItemQueue, QueueOptions, TakenItem } from './workers.ts';

const quietMs = 30_000;
const firstPauseMs = 1_000;
/** How often what waits is looked for from the beginning of a run. */
const fromBeginningMs = 5_000;

/**
 * The queue of one worker. The items of runs are the queue: a row says whose it is, and until when. Leases and pauses
 * are measured by the clock of the database; whether an outcome stands is decided by state, worker and attempt.
 */
export function openItemQueue(
  database: Database,
  { worker, retryDelayMs = firstPauseMs, heartbeatMs = quietMs }: QueueOptions,
): ItemQueue {
  const { db, kind, write } = database;
  const lease = { worker, until: momentOf(kind, heartbeatMs) };
  const held = findProcessItems(worker);
  const finish = gatherWrites((finished: readonly Finished[]) =>
    write((trx) => finishItems(trx, kind, worker, finished)),
  );
  const finishDecided = decidedFinisher(database, (trx, finished) => finishItems(trx, kind, worker, finished));
  const reclaim = () => freeItemsOfDeadWorkers(database, { worker, heartbeatMs });
  const holder = ({ run, position, attempts: before }: TakenItem): Holder => ({
    run,
    position,
    worker,
    attempts: before,
  });
  /** Runs of which an answer was lost: this worker may have items there that it does not know of. */
  const unsure = new Set<string>();
  /** Where the last take of a run ended. */
  const ends = new Map<string, { position: number; until: number }>();
  let freed: Promise<void> | null = null;

  const take = (run: string, wanted: Take) => write((trx) => takeDueItems(trx, kind, run, { ...wanted, lease }));

  /**
   * Goes on where the last take ended: the index still has what was taken before, and in a run of millions that takes
   * long to read over.
   */
  async function takeSeveral(run: string, count: number): Promise<readonly TakenItem[]> {
    const now = performance.now();
    const last = ends.get(run);
    ends.delete(run);
    const goesOn = last !== undefined && now < last.until;
    const next = await take(run, goesOn ? { count, after: last.position } : { count });
    if (next.length === count) {
      ends.set(run, { position: next.at(-1)!.position, until: goesOn ? last.until : now + fromBeginningMs });
      return next;
    }
    return goesOn ? [...(await take(run, { count: count - next.length })), ...next] : next;
  }

  /** Items leave when their outcome is known, which null is not, or when nobody can say what became of them. */
  async function settle<Result>(items: readonly TakenItem[], work: () => Promise<Result>): Promise<Result> {
    let result: Result | undefined;
    try {
      return (result = await work());
    } catch (error) {
      for (const { run } of items) unsure.add(run);
      throw error;
    } finally {
      if (result !== null) held.letGo(worker, items);
    }
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
      try {
        if (unsure.delete(run)) await write((trx) => releaseStrays(trx, kind, run, worker, held.listHeld(worker, run)));
        return await held.take(worker, run, {
          takeSeveral: () => takeSeveral(run, count),
          isOneToTryAlone: async () => (await selectDue(db, kind, run, 1).limit(1).executeTakeFirst()) !== undefined,
          takeOneAlone: () => take(run, { count: 1, alone: 1 }),
        });
      } catch (error) {
        unsure.add(run);
        throw error;
      }
    },

    async renewItems(items) {
      const lost: TakenItem[] = [];
      for (const [run, ofRun] of Map.groupBy(items, (item) => item.run)) {
        const held = await write((trx) => renewLeases(trx, kind, run, lease, ofRun));
        lost.push(...ofRun.filter(({ position, attempts: before }) => held.get(position) !== before));
      }
      held.letGo(worker, lost);
      return lost;
    },

    finishItem: (item, result) => settle([item], () => finish({ item, result })),

    finishDecided: (item, result, decided) => settle([item], () => finishDecided(item, result, decided)),

    failItem: (item, error, { retry }) =>
      settle([item], () =>
        write(async (trx): Promise<'waiting' | 'failed' | 'lost'> => {
          if (!retry || item.attempts + 1 >= (await readPlannedAttempts(trx, item.run)))
            return (await setItemAside(trx, kind, holder(item), error)) ? 'failed' : 'lost';
          const pauseMs = retryDelayMs * 2 ** item.attempts;
          return (await retryItem(trx, kind, holder(item), error, pauseMs)) ? 'waiting' : 'lost';
        }),
      ),

    giveBackItems: (items) =>
      settle(items, () =>
        write(async (trx) => {
          for (const item of items.toSorted(byPlace)) await releaseItem(trx, holder(item));
        }),
      ),

    close: async () => held.leave(worker),
  };
}

/** Rows are locked in this order, so that nobody waits in a circle. */
function byPlace(a: TakenItem, b: TakenItem): number {
  return a.position - b.position;
}
