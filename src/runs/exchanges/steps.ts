import { rm } from 'node:fs/promises';
import type { Journal, JournalEntry } from '../../debate/index.ts';
import { openResultFile } from '../results/result-file.ts';

/**
 * What was paid for in items that are not finished: every answer of a model is on disk before the next one is asked.
 */
export interface Steps {
  /** For debates. */
  journal: Journal;
  /**
   * What an earlier run made under this key; else makes it and keeps it, unless `keep` says that it is not worth it.
   */
  once<Value>(key: string, make: () => Promise<Value>, keep: (value: Value) => boolean): Promise<Value>;
  close(): Promise<void>;
  /** Closes and removes the file: nothing is left unfinished. */
  remove(): Promise<void>;
}

/** Opens the file of steps beside a run's output. The steps of debates in `finished` are not needed any more. */
export async function openSteps(path: string, finished: ReadonlySet<string>): Promise<Steps> {
  const before = new Map<string, unknown>();
  const file = await openResultFile(path, ({ key, result }) => {
    const { debate, value } = result as { debate?: string; value: unknown };
    if (debate === undefined || !finished.has(debate)) before.set(key, value);
  });
  let writing = Promise.resolve();

  function write(key: string, result: { debate?: string; value: unknown }): Promise<void> {
    // What a full disk cut short must stay the last line, or the next run could not read the file: nothing comes
    // after it.
    writing = writing.then(() => file.write({ line: 0, key, result }));
    return writing;
  }

  return {
    journal: {
      find: async (...place) => before.get(JSON.stringify(place)) as JournalEntry | undefined,
      async insert(debate, entry) {
        await write(JSON.stringify([debate, entry.key, entry.inputHash]), { debate, value: entry });
        return entry;
      },
    },
    async once<Value>(key: string, make: () => Promise<Value>, keep: (value: Value) => boolean) {
      if (before.has(key)) return before.get(key) as Value;
      const value = await make();
      if (keep(value)) await write(key, { value });
      return value;
    },
    close: () => file.close(),
    async remove() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
