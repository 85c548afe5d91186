import type { Journal, JournalEntry } from '../debate/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { JudgedCase } from './case-on-record.ts';

/**
 * The journal of a trial that is held again: what the earlier ones said is recalled, unless `stands` knows better,
 * and what is new is kept under the new one's name.
 */
export function layeredJournal(
  journal: Journal,
  earlier: readonly string[],
  stands: (entry: JournalEntry) => boolean = () => true,
): Journal {
  return {
    async find(debate, key, inputHash) {
      const own = await journal.find(debate, key, inputHash);
      if (own) return own;
      for (const name of earlier) {
        const entry = await journal.find(name, key, inputHash);
        if (entry && stands(entry)) return entry;
      }
      return undefined;
    },
    insert: (debate, entry) => journal.insert(debate, entry),
  };
}

/** The case and, when it is a replay itself, those that it recalled from. */
export async function trialsBehind(ledger: Ledger, { id, again }: Pick<JudgedCase, 'id' | 'again'>): Promise<string[]> {
  if (again?.how !== 'replay') return [id];
  const before = await ledger.cases.findCase(again.of);
  return [id, ...(before ? await trialsBehind(ledger, before) : [])];
}
