import type { Journal, JournalEntry } from '@agonhq/engine/debate';
import type { ItemQueue } from '@agonhq/ledger';
import type { WorkerPool } from './worker-pool.ts';
import { AgonError } from '@agonhq/engine/agon-error';

/** Debates whose earlier entries are in mind: more than a process holds at once. */
const inMindAtMost = 2_000;

/** What is known of a debate: what was said before it came here, and which entries were made here since. */
interface InMind {
  before: Promise<ReadonlyMap<string, JournalEntry>>;
  since: Set<string>;
}

/** The journal of a process that works on items. */
export interface PooledJournal extends Journal {
  /** Items went elsewhere: others may go on with their debates, so nothing of what was in mind holds. */
  clearMind(): void;
}

/**
 * Asks first whose the items are, and what was said of a debate before it came here only once: an item is in one
 * process's hands at a time. What is said here is inserted as ever.
 */
export function createPooledJournal(journal: Journal, hands: Pick<WorkerPool, 'certain'>): PooledJournal {
  const minds = new Map<string, InMind>();

  function mindOf(debate: string): InMind {
    let mind = minds.get(debate);
    if (!mind) {
      const before = journal.of!(debate).then(
        (entries) => new Map(entries.map((entry) => [placeOf(entry.key, entry.inputHash), entry])),
      );
      before.catch(() => minds.delete(debate));
      minds.set(debate, (mind = { before, since: new Set() }));
      if (minds.size > inMindAtMost) minds.delete(minds.keys().next().value!);
    }
    return mind;
  }

  return {
    async find(debate, key, inputHash) {
      await hands.certain();
      if (!journal.of) return journal.find(debate, key, inputHash);
      const { before, since } = mindOf(debate);
      const place = placeOf(key, inputHash);
      return (await before).get(place) ?? (since.has(place) ? journal.find(debate, key, inputHash) : undefined);
    },
    async insert(debate, entry, calls) {
      const standing = await journal.insert(debate, entry, calls);
      minds.get(debate)?.since.add(placeOf(entry.key, entry.inputHash));
      return standing;
    },
    ...(journal.keepCalls ? { keepCalls: journal.keepCalls.bind(journal) } : {}),
    clearMind: () => minds.clear(),
  };
}

/** A queue that clears the journal's mind when items leave without a result. */
export function catchMistakes(queue: ItemQueue, { clearMind }: PooledJournal): ItemQueue {
  return {
    ...queue,
    async renewItems(items) {
      const lost = await queue.renewItems(items);
      if (lost.length > 0) clearMind();
      return lost;
    },
    failItem(item, error, options) {
      clearMind();
      return queue.failItem(item, error, options);
    },
    giveBackItems(items) {
      clearMind();
      return queue.giveBackItems(items);
    },
  };
}

function placeOf(key: string, inputHash: string): string {
  return `${inputHash} ${key}`;
}

/** What went wrong, for a run's row and a worker's log. */
export function createWriteSequence(error: unknown): string {
  return AgonError.is(error)
    ? `${error.message} ${error.hint} (${error.code})`
    : error instanceof Error
      ? error.message
      : String(error);
}
