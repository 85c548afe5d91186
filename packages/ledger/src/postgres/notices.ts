import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../database/database.ts';

/** Words between the processes that share a ledger. They reach whoever hears at that moment, and are kept nowhere. */
export interface Notices {
  /** What is longer than a notice may be is left out; says how many were. */
  tell(notices: readonly string[]): Promise<number>;
  /**
   * Hears what is told from now on, by this process too, until the signal aborts; a lost connection is made again.
   * Resolves when it hears, or could not on the first try.
   */
  hear(listener: (notice: string) => void, signal: AbortSignal): Promise<void>;
}

/** What of a client of `pg` hears them. Not its own type, which whoever installs Agon without PostgreSQL has not. */
interface NoticeClient {
  on(event: 'error' | 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (notice: { payload?: string | undefined }) => void): unknown;
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<unknown>;
}

/** PostgreSQL takes less than 8,000 bytes. */
const mostBytes = 7_900;
const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Ledgers of teams share a database: each has a channel of its own. */
const channel = sql<string>`'agon_' || md5(current_schema())`;

/** By a connection of its own for as long as somebody hears. */
export function postgresNotices(db: Db, makeClient: () => NoticeClient): Notices {
  async function listen(
    listener: (notice: string) => void,
    signal: AbortSignal,
    onListening: () => void,
  ): Promise<void> {
    const client = makeClient();
    const lost = Promise.withResolvers<void>();
    client.on('error', () => lost.resolve());
    client.on('end', () => lost.resolve());
    client.on('notification', ({ payload }) => signal.aborted || listener(payload ?? ''));
    signal.addEventListener('abort', () => lost.resolve(), { once: true });
    try {
      await client.connect();
      const { rows } = await sql<{ name: string }>`select ${channel} as name`.execute(db);
      await client.query(`listen ${rows[0]!.name}`);
      onListening();
      await lost.promise;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  return {
    async tell(notices) {
      const short = notices.filter((notice) => Buffer.byteLength(notice) <= mostBytes);
      await sql`select pg_notify(${channel}, told) from unnest(${short}::text[]) told`.execute(db);
      return notices.length - short.length;
    },
    async hear(listener, signal) {
      const first = Promise.withResolvers<void>();
      void (async () => {
        let pauseMs = firstPauseMs;
        while (!signal.aborted) {
          await listen(listener, signal, () => {
            pauseMs = firstPauseMs;
            first.resolve();
          }).catch(() => undefined);
          first.resolve();
          await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
          pauseMs = Math.min(2 * pauseMs, longestPauseMs);
        }
      })();
      await first.promise;
    },
  };
}
