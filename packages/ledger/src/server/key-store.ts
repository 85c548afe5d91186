import type { Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import { readMoment, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';

/** A key as it is kept: of its secret only a hash. */
export interface ApiKeyRow {
  id: string;
  name: string;
  /** `sha256:…` of the secret. */
  secretHash: string;
  scopes: readonly string[];
  reviewer: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export interface KeyStore {
  keepKey(key: Omit<ApiKeyRow, 'lastUsedAt' | 'revokedAt'>): Promise<void>;
  findKey(id: string): Promise<ApiKeyRow | undefined>;
  /** The newest first. */
  listKeys(): Promise<readonly ApiKeyRow[]>;
  /** Once: a second time changes nothing. */
  revokeKey(id: string): Promise<ApiKeyRow | undefined>;
  /** That these keys were used, and when. */
  markKeysUsed(used: ReadonlyMap<string, Date>): Promise<void>;
}

export function keyStore({ db, write }: Database): KeyStore {
  const find = async (id: string) => {
    const row = await db.selectFrom('api_keys').selectAll().where('id', '=', toStorable(id)).executeTakeFirst();
    return row && readKey(row);
  };
  return {
    findKey: find,
    async keepKey({ id, name, secretHash, scopes, reviewer, createdAt, expiresAt }) {
      const row: Tables['api_keys'] = {
        id,
        version: storedVersion,
        name: toStorable(name),
        secret_hash: secretHash,
        scopes: toStored(scopes),
        reviewer: toStorable(reviewer),
        created_at: createdAt.toISOString(),
        expires_at: expiresAt?.toISOString() ?? null,
        last_used_at: null,
        revoked_at: null,
      };
      await write((trx) => trx.insertInto('api_keys').values(row).execute());
    },
    async listKeys() {
      return (await db.selectFrom('api_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()).map(
        readKey,
      );
    },
    async revokeKey(id) {
      await write((trx) =>
        trx
          .updateTable('api_keys')
          .set({ revoked_at: new Date().toISOString() })
          .where('id', '=', toStorable(id))
          .where('revoked_at', 'is', null)
          .execute(),
      );
      return find(id);
    },
    async markKeysUsed(used) {
      await write(async (trx) => {
        for (const [id, at] of used)
          await trx.updateTable('api_keys').set({ last_used_at: at.toISOString() }).where('id', '=', id).execute();
      });
    },
  };
}

function readKey(row: Selectable<Tables['api_keys']>): ApiKeyRow {
  const { id, name, reviewer } = row;
  return {
    id,
    name,
    secretHash: row.secret_hash,
    scopes: JSON.parse(row.scopes) as string[],
    reviewer,
    createdAt: new Date(row.created_at),
    lastUsedAt: readMoment(row.last_used_at),
    expiresAt: readMoment(row.expires_at),
    revokedAt: readMoment(row.revoked_at),
  };
}
