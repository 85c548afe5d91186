import type { Computed, Turn } from './transcript.ts';

export type JournalEntry = Turn | Computed;

/**
 * The memory of debates: an entry is looked up by (debate, key, hash of its input) before it runs and inserted
 * if absent after it ran. Resume, replay, counterfactuals and distribution all follow from that.
 */
export interface Journal {
  find(debate: string, key: string, inputHash: string): Promise<JournalEntry | undefined>;
  /** Inserts if absent and returns what stands: the first writer wins. */
  insert(debate: string, entry: JournalEntry): Promise<JournalEntry>;
}

export function memoryJournal(): Journal {
  const entries = new Map<string, JournalEntry>();
  const address = (debate: string, key: string, inputHash: string) => JSON.stringify([debate, key, inputHash]);
  return {
    find: async (debate, key, inputHash) => entries.get(address(debate, key, inputHash)),
    insert: async (debate, entry) => {
      const place = address(debate, entry.key, entry.inputHash);
      const standing = entries.get(place) ?? entry;
      entries.set(place, standing);
      return standing;
    },
  };
}
