import type { Database, Trx } from '../database/database.ts';
import { toStorable } from '../database/stored-json.ts';

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
  /** Takes away what was claimed before; says how many. */
  pruneKeys(before: Date): Promise<number>;
}

export function idempotencyStore({ write }: Database): IdempotencyStore {
  return {
    claimKey: (owner, key, request, { staleMs }) =>
      write((trx) => claimKey(trx, owner, toStorable(key), request, staleMs)),
    async renewKey(owner, key) {
      await write((trx) =>
        trx
          .updateTable('idempotency_keys')
          .set({ claimed_at: new Date().toISOString() })
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
    async pruneKeys(before) {
      const { numDeletedRows } = await write((trx) =>
        trx.deleteFrom('idempotency_keys').where('claimed_at', '<', before.toISOString()).executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

async function claimKey(
  trx: Trx,
  owner: string,
  key: string,
  request: string,
  staleMs: number,
): Promise<IdempotencyRecord | null> {
  const now = Date.now();
  const claimed = { request, location: null, state: 'running' as const, claimed_at: new Date(now).toISOString() };
  for (;;) {
    const mine = await trx
      .insertInto('idempotency_keys')
      .values({ owner, key, ...claimed })
      .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
      .returning('key')
      .executeTakeFirst();
    if (mine) return null;
    const left = await trx
      .updateTable('idempotency_keys')
      .set(claimed)
      .where('owner', '=', owner)
      .where('key', '=', key)
      .where('request', '=', request)
      .where('state', '=', 'running')
      .where('claimed_at', '<', new Date(now - staleMs).toISOString())
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
