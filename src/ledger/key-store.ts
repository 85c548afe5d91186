import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import type { ApiKeyRow, KeyStore } from './server-records.ts';
import { plain, storedVersion, toStored } from './stored-json.ts';
import type { ApiKeys } from './tables.ts';

export function keyStore({ db, write }: Database): KeyStore {
  const find = async (id: string) => {
    const row = await db.selectFrom('api_keys').selectAll().where('id', '=', plain(id)).executeTakeFirst();
    return row && keyOf(row);
  };
  return {
    find,
    async keep({ id, name, secretHash, scopes, reviewer, createdAt, expiresAt }) {
      const row: ApiKeys = {
        id,
        version: storedVersion,
        name: plain(name),
        secret_hash: secretHash,
        scopes: toStored(scopes),
        reviewer: plain(reviewer),
        created_at: createdAt.toISOString(),
        expires_at: expiresAt?.toISOString() ?? null,
        last_used_at: null,
        revoked_at: null,
      };
      await write((trx) => trx.insertInto('api_keys').values(row).execute());
    },
    async list() {
      return (await db.selectFrom('api_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()).map(
        keyOf,
      );
    },
    async revoke(id) {
      await write((trx) =>
        trx
          .updateTable('api_keys')
          .set({ revoked_at: new Date().toISOString() })
          .where('id', '=', plain(id))
          .where('revoked_at', 'is', null)
          .execute(),
      );
      return find(id);
    },
    async touch(used) {
      await write(async (trx) => {
        for (const [id, at] of used)
          await trx.updateTable('api_keys').set({ last_used_at: at.toISOString() }).where('id', '=', id).execute();
      });
    },
  };
}

function keyOf({
  id,
  name,
  secret_hash,
  scopes,
  reviewer,
  created_at,
  last_used_at,
  expires_at,
  revoked_at,
}: Selectable<ApiKeys>): ApiKeyRow {
  return {
    id,
    name,
    secretHash: secret_hash,
    scopes: JSON.parse(scopes) as string[],
    reviewer,
    createdAt: new Date(created_at),
    lastUsedAt: momentOf(last_used_at),
    expiresAt: momentOf(expires_at),
    revokedAt: momentOf(revoked_at),
  };
}

export function momentOf(stored: string | null): Date | null {
  return stored === null ? null : new Date(stored);
}
