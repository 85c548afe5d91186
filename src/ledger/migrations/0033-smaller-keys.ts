import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * Texts are found by the beginning of their hash. On PostgreSQL the listing has an index of moments, each of which many
 * cases share, instead of one that names every case again: that a case is there once each part says by itself. By
 * the way back there are no single rows any more (0034), which refer to texts by less than an earlier release reads.
 */
export function smallerKeysSchema(kind: Kind): Migration {
  if (kind === 'sqlite')
    return {
      async up(db: Kysely<Tables>) {
        await sql`create index texts_by_key on texts (substr(hash, 1, 8), day)`.execute(db);
      },
      async down(db: Kysely<Tables>) {
        await sql`drop index texts_by_key`.execute(db);
      },
    };
  return {
    async up(db: Kysely<Tables>) {
      await dropPrimaryKey(db, 'listing');
      await sql`create index listing_by_opening on listing (opened_at)`.execute(db);
      await dropPrimaryKey(db, 'texts');
      await sql`create unique index texts_by_key on texts (substr(hash, 1, 8), day)`.execute(db);
    },
    async down(db: Kysely<Tables>) {
      await sql`drop index listing_by_opening`.execute(db);
      await addPrimaryKey(db, 'listing', 'opened_at, id');
      await sql`drop index texts_by_key`.execute(db);
      await addPrimaryKey(db, 'texts', 'hash, day');
    },
  };
}

/** Its name came about when the table became one of parts. */
async function dropPrimaryKey(db: Kysely<Tables>, table: 'listing' | 'texts'): Promise<void> {
  const { rows } = await sql<{ name: string }>`select conname as name from pg_constraint
    where conrelid = to_regclass(${table}) and contype = 'p'`.execute(db);
  for (const { name } of rows) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
}

/** The part that was the table before there were parts has it under its own name again. */
async function addPrimaryKey(db: Kysely<Tables>, table: 'listing' | 'texts', columns: string): Promise<void> {
  for (const statement of [
    `alter table ${table} add constraint ${table}_pkey1 primary key (${columns})`,
    `alter index ${table}_before_pkey rename to ${table}_pkey`,
  ])
    await sql.raw(statement).execute(db);
}
