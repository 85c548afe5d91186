import type { ModelCall, TurnPlace } from './model-call.ts';
import type { Computed, Turn } from './transcript.ts';

/** What a journal keeps: entries that cost something, or that later ones stand on. */
export type JournalEntry = Turn | Computed;

/**
 * The memory of debates: an entry is looked up by (debate, key, hash of its input) before it runs and inserted
 * if absent after it ran. Resume, replay, counterfactuals and distribution all follow from that.
 */
export interface Journal {
  find(debate: string, key: string, inputHash: string): Promise<JournalEntry | undefined>;
  /** All entries of a debate, where a journal can give them at once. */
  of?(debate: string): Promise<readonly JournalEntry[]>;
  /**
   * Inserts if absent and returns what stands: the first writer wins. With the entry goes what was sent and said for
   * it, where a journal keeps that.
   */
  insert(debate: string, entry: JournalEntry, calls?: readonly ModelCall[]): Promise<JournalEntry>;
  /** Keeps what was sent and said without an entry: nobody answered, or it was no turn. */
  keepCalls?(debate: string, place: TurnPlace, calls: readonly ModelCall[]): Promise<void>;
}

/** A journal that forgets with the process. */
export function memoryJournal(): Journal {
  const entries = new Map<string, JournalEntry>();
  return {
    find: async (debate, key, inputHash) => entries.get(place(debate, key, inputHash)),
    insert: async (debate, entry) => {
      const at = place(debate, entry.key, entry.inputHash);
      const standing = entries.get(at) ?? entry;
      entries.set(at, standing);
      return standing;
    },
  };
}

function place(debate: string, key: string, inputHash: string): string {
  return JSON.stringify([debate, key, inputHash]);
}
