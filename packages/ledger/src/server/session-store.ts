import type { Database } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';

export interface SessionStore {
  /** A session is over before its time. */
  endSession(session: { hash: string; endsAt: Date }): Promise<void>;
  /** Those that are over, and would not be by themselves; `since` leaves out what was ended long before that moment. */
  listEndedSessions(since: Date | null): Promise<readonly { hash: string; endsAt: Date }[]>;
}

/** Clocks of servers may differ by so much. */
const slackMs = 60_000;

export function sessionStore({ db, write }: Database): SessionStore {
  return {
    async endSession({ hash, endsAt }) {
      const now = Date.now();
      await write(async (trx) => {
        await insertNew(
          trx.insertInto('ended_sessions').values({ token: hash, ends_at: endsAt.getTime(), ended_at: now }),
        );
        await trx
          .deleteFrom('ended_sessions')
          .where('ends_at', '<', now - slackMs)
          .execute();
      });
    },
    async listEndedSessions(since) {
      const rows = await db
        .selectFrom('ended_sessions')
        .select(['token', 'ends_at'])
        .where('ended_at', '>', (since?.getTime() ?? 0) - slackMs)
        .execute();
      return rows.map(({ token, ends_at }) => ({ hash: token, endsAt: new Date(ends_at) }));
    },
  };
}
