import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { AgonError } from '../../errors.ts';
import type { Db, Trx, Write } from '../database/database.ts';

interface Waiting {
  /** Does the work; says how its caller is told once it is on disk. */
  run(trx: Trx): Promise<() => void>;
  reject(error: unknown): void;
}

/**
 * A commit waits for the disk, and the thread with it. So what is asked for at the same moment is committed together;
 * each is told only when it is on disk, and one that fails takes no other with it.
 */
export function createGroupCommit(db: Db): { write: Write; idle(): Promise<void> } {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  async function commitAll(): Promise<void> {
    for (await turnOfTheLoop(); waiting.length > 0; await turnOfTheLoop()) {
      const group = waiting;
      waiting = [];
      await commitTogether(db, group);
    }
    running = null;
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ run: async (trx) => work(trx).then((result) => () => resolve(result)), reject });
        running ??= commitAll();
      }),
    idle: async () => void (await running),
  };
}

async function commitTogether(db: Db, group: readonly Waiting[]): Promise<void> {
  try {
    const told = await db.transaction().execute(async (trx) => {
      const outcomes: (() => void)[] = [];
      for (const { run } of group) outcomes.push(await run(trx));
      return outcomes;
    });
    for (const tell of told) tell();
  } catch (error) {
    const nobodyCan = AgonError.is(error) && error.code === 'locked-ledger';
    if (nobodyCan || group.length === 1) for (const { reject } of group) reject(error);
    // Nothing of it was kept: each once more by itself, and only the one that cannot hears of it.
    else for (const one of group) await commitTogether(db, [one]);
  }
}
