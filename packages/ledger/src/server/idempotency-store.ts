import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { Database, Kind, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { toStorable } from '../database/stored-json.ts';
import { findMade } from './make-once.ts';

/** What became of a request that came with an idempotency key. */
export interface IdempotencyRecord {
  /** Hash of the request. */
  request: string;
  state: 'running' | 'done';
  /** Where its answer can be asked for; null when it is made again. */
  location: string | null;
  claimedAt: Date;
}

export interface IdempotencyStore {
  /**
   * Null when the key is new and is now the caller's; else what is on record. A claim that is older than `staleMs`
   * and still running was left by a crash, and is taken over.
   */
  claimKey(
    owner: string,
    key: string,
    request: string,
    options: { staleMs: number },
  ): Promise<IdempotencyRecord | null>;
  /** Says that the request is still being answered. */
  renewKey(owner: string, key: string): Promise<void>;
  settleKey(owner: string, key: string, location: string | null): Promise<void>;
  /** The request failed: the key may be used again. */
  releaseKey(owner: string, key: string): Promise<void>;
  /** The id of what a request has made, in whatever process; null where it has not, or has no key. */
  findMade(once: KeyedRequest | undefined, which?: string): Promise<string | null>;
  /** Takes away what was claimed longer ago than this; says how many. */
  pruneKeys(olderThanMs: number): Promise<number>;
}

/** The moments are the database's: a server whose clock is wrong blocks no key, and takes none over too early. */
export function idempotencyStore({ db, kind, write }: Database): IdempotencyStore {
  return {
    claimKey: (owner, key, request, { staleMs }) =>
      write((trx) => claimKey(trx, kind, owner, toStorable(key), request, staleMs)),
    async renewKey(owner, key) {
      await write((trx) =>
        trx
          .updateTable('idempotency_keys')
          .set({ claimed_at: momentOf(kind) })
          .where('owner', '=', owner)
          .where('key', '=', toStorable(key))
          .where('state', '=', 'running')
          .execute(),
      );
    },
    async settleKey(owner, key, location) {
      await write((trx) =>
        trx
          .updateTable('idempotency_keys')
          .set({ state: 'done', location: toStorable(location) })
          .where('owner', '=', owner)
          .where('key', '=', toStorable(key))
          .execute(),
      );
    },
    async releaseKey(owner, key) {
      await write((trx) =>
        trx
          .deleteFrom('idempotency_keys')
          .where('owner', '=', owner)
          .where('key', '=', toStorable(key))
          .where('state', '=', 'running')
          .execute(),
      );
    },
    findMade: (once, which) => findMade(db, once, which),
    async pruneKeys(olderThanMs) {
      const { numDeletedRows } = await write((trx) =>
        trx
          .deleteFrom('idempotency_keys')
          .where('claimed_at', '<', momentOf(kind, -olderThanMs))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

async function claimKey(
  trx: Trx,
  kind: Kind,
  owner: string,
  key: string,
  request: string,
  staleMs: number,
): Promise<IdempotencyRecord | null> {
  const claimed = { request, state: 'running' as const, claimed_at: momentOf(kind) };
  for (;;) {
    const mine = await insertNew(trx.insertInto('idempotency_keys').values({ owner, key, location: null, ...claimed }));
    if (mine) return null;
    const left = await trx
      .updateTable('idempotency_keys')
      .set(claimed)
      .where('owner', '=', owner)
      .where('key', '=', key)
      .where('request', '=', request)
      .where('state', '=', 'running')
      // One from the future was left by a clock that has been set back since.
      .where(({ eb, or }) =>
        or([eb('claimed_at', '<', momentOf(kind, -staleMs)), eb('claimed_at', '>', momentOf(kind, staleMs))]),
      )
      .returning('key')
      .executeTakeFirst();
    if (left) return null;
    const row = await trx
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('owner', '=', owner)
      .where('key', '=', key)
      .executeTakeFirst();
    if (row)
      return { request: row.request, state: row.state, location: row.location, claimedAt: new Date(row.claimed_at) };
    // On PostgreSQL, whoever had it has released it since the first statement: it is free again.
  }
}
