import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx, Write } from '../database.ts';

interface Waiting {
  /** Does the work; says how its caller is told once it is on disk. */
  run(trx: Trx): Promise<() => void>;
  reject(error: unknown): void;
}

/**
 * A commit waits for the disk, and the thread with it. So what is asked for at the same moment is committed together;
 * each is told only when it is on disk, and one that fails takes no other with it.
 */
export function groupCommit(db: Db): { write: Write; idle(): Promise<void> } {
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
      for (const { run, reject } of group) outcomes.push(group.length === 1 ? await run(trx) : await apart(trx, run, reject));
      return outcomes;
    });
    for (const tell of told) tell();
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

async function apart(trx: Trx, run: Waiting['run'], reject: Waiting['reject']): Promise<() => void> {
  await sql`savepoint one`.execute(trx);
  const outcome = await run(trx).catch(async (error: unknown) => {
    // What ends the whole transaction, a full disk, has no savepoint left: then everybody hears of it.
    await sql`rollback to one`.execute(trx).catch(() => {
      throw error;
    });
    return () => reject(error);
  });
  await sql`release one`.execute(trx);
  return outcome;
}
