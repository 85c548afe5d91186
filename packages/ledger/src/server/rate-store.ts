import { sql } from 'kysely';
import type { Database, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { toStorable } from '../database/stored-json.ts';

/** What an owner may do: so many a minute, and what was not used in a minute at once. */
export interface RateClaim {
  owner: string;
  perMinute: number;
  /** How many are asked for. */
  wanted: number;
}

export interface RateStore {
  /** How many of those that are asked for there are: none, and in how long there is one again, or some. */
  claimPortion(claim: RateClaim): Promise<{ granted: number; waitMs: number }>;
  /** Forgets owners who asked for nothing for so long: theirs is whole again. */
  pruneRates(olderThanMs: number): Promise<void>;
}

/** The moments are the database's: servers' clocks need not agree. */
export function rateStore({ kind, write }: Database): RateStore {
  const now =
    kind === 'sqlite'
      ? sql<number>`cast((julianday('now') - 2440587.5) * 86400000 as real)`
      : sql<number>`extract(epoch from clock_timestamp())::double precision * 1000`;

  async function claim(trx: Trx, { owner, perMinute, wanted }: RateClaim) {
    const size = Math.max(1, perMinute);
    const perMs = perMinute / 60_000;
    await insertNew(trx.insertInto('rate_portions').values({ owner, tokens: size, filled_at: now }));
    const query = trx
      .selectFrom('rate_portions')
      .select(['tokens', 'filled_at', now.as('now')])
      .where('owner', '=', owner);
    const held = await (kind === 'sqlite' ? query : query.forUpdate()).executeTakeFirstOrThrow();
    const tokens = Math.min(size, held.tokens + Math.max(0, held.now - held.filled_at) * perMs);
    const granted = Math.min(wanted, Math.floor(tokens));
    await trx
      .updateTable('rate_portions')
      .set({ tokens: tokens - granted, filled_at: held.now })
      .where('owner', '=', owner)
      .execute();
    return { granted, waitMs: granted > 0 ? 0 : Math.ceil((1 - tokens) / perMs) };
  }

  return {
    claimPortion: ({ owner, ...asked }) => write((trx) => claim(trx, { owner: toStorable(owner), ...asked })),
    async pruneRates(olderThanMs) {
      await write((trx) =>
        trx
          .deleteFrom('rate_portions')
          .where('filled_at', '<', sql<number>`${now} - ${olderThanMs}`)
          .execute(),
      );
    },
  };
}
