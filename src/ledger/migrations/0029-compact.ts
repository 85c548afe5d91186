import { sql, type Kysely, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import { forgetRecords } from '../records/leaves.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * Cases that one judge decided alone as one row: the listing has what is their own, and refers to what they share. What was
 * kept so is the rows of a case again before the way back comes to here (0034).
 */
export function compactSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea';
  const end = kind === 'sqlite' ? 'strict, without rowid' : '';
  const columns = { setup: 'integer', template: 'integer', subject: bytes, packed: bytes };
  const statements = [
    `create table setups (
      id integer not null primary key, hash ${text} not null, job ${text} not null, configuration ${text} not null,
      settings ${text} not null, policy ${text} not null references policies (hash)
    ) ${end}`,
    `create table templates (
      id integer not null primary key, hash ${text} not null, rule ${text} not null, body ${text} not null
    ) ${end}`,
    `create table texts (
      hash ${bytes} not null, day integer not null, cases ${text} not null, data ${bytes} not null,
      primary key (hash, day)
    ) ${end}`,
    `create table batches (
      id ${text} not null primary key, opened_at ${text} not null, size integer not null, root ${text} not null,
      hashes ${bytes} not null
    ) ${end}`,
    'create index batches_by_opening on batches (opened_at)',
    ...Object.entries(columns).map(([name, type]) => `alter table listing add column ${name} ${type}`),
    'create unique index listing_by_id on listing (id)',
  ];
  return {
    async up(db: Kysely<Tables>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
    async down(db: Kysely<Tables>) {
      // The way back from a later schema has written them as cases by now.
      const trx = db as Transaction<Tables>;
      const batches = await trx.selectFrom('batches').select('id').execute();
      await forgetRecords(
        trx,
        kind,
        'removed',
        batches.map(({ id }) => id),
      );
      await sql`drop index listing_by_id`.execute(db);
      for (const name of Object.keys(columns)) await sql.raw(`alter table listing drop column ${name}`).execute(db);
      for (const table of ['batches', 'texts', 'templates', 'setups']) await sql.raw(`drop table ${table}`).execute(db);
    },
  };
}
