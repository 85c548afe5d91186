import type { Journal, JournalEntry } from '@agonhq/engine/debate';
import type { ItemQueue } from '@agonhq/ledger';
import type { WorkerPool } from './worker-pool.ts';
import { AgonError } from '@agonhq/engine/agon-error';

/** Debates whose earlier entries are held: more than a process holds at once. */
const recalledAtMost = 2_000;

/** What is known of a debate: what was said before it came here, and which entries were made here since. */
interface Recalled {
  before: Promise<ReadonlyMap<string, JournalEntry>>;
  since: Set<string>;
}

/** The journal of a process that works on items. */
export interface PooledJournal extends Journal {
  /** Items went elsewhere: others may go on with their debates, so nothing of what was recalled holds. */
  forget(): void;
}

/**
 * Asks first whose the items are, and what was said of a debate before it came here only once: an item is in one
 * process's hands at a time. What is said here is inserted as ever.
 */
export function createPooledJournal(journal: Journal, pool: Pick<WorkerPool, 'certain'>): PooledJournal {
  const recalled = new Map<string, Recalled>();

  function recall(debate: string): Recalled {
    let known = recalled.get(debate);
    if (!known) {
      const before = journal.of!(debate).then(
        (entries) => new Map(entries.map((entry) => [placeOf(entry.key, entry.inputHash), entry])),
      );
      before.catch(() => recalled.delete(debate));
      recalled.set(debate, (known = { before, since: new Set() }));
      if (recalled.size > recalledAtMost) recalled.delete(recalled.keys().next().value!);
    }
    return known;
  }

  return {
    async find(debate, key, inputHash) {
      await pool.certain();
      if (!journal.of) return journal.find(debate, key, inputHash);
      const { before, since } = recall(debate);
      const place = placeOf(key, inputHash);
      return (await before).get(place) ?? (since.has(place) ? journal.find(debate, key, inputHash) : undefined);
    },
    async insert(debate, entry, calls) {
      const standing = await journal.insert(debate, entry, calls);
      recalled.get(debate)?.since.add(placeOf(entry.key, entry.inputHash));
      return standing;
    },
    ...(journal.keepCalls ? { keepCalls: journal.keepCalls.bind(journal) } : {}),
    forget: () => recalled.clear(),
  };
}

/** A queue that makes the journal forget when items leave without a result. */
export function catchMistakes(queue: ItemQueue, { forget }: PooledJournal): ItemQueue {
  return {
    ...queue,
    async renewItems(items) {
      const lost = await queue.renewItems(items);
      if (lost.length > 0) forget();
      return lost;
    },
    failItem(item, error, options) {
      forget();
      return queue.failItem(item, error, options);
    },
    giveBackItems(items) {
      forget();
      return queue.giveBackItems(items);
    },
  };
}

function placeOf(key: string, inputHash: string): string {
  return `${inputHash} ${key}`;
}

/** What went wrong, for a run's row and a worker's log. */
export function describeRunProblem(error: unknown): string {
  return AgonError.is(error)
    ? `${error.message} ${error.hint} (${error.code})`
    : error instanceof Error
      ? error.message
      : String(error);
}
