import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';

/** The teams of an installation; only its own ledger has any. And what servers have taken of limits that they share. */
export function teamsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const number = kind === 'sqlite' ? 'real' : 'double precision';
  const end = kind === 'sqlite' ? 'strict' : '';
  return {
    async up(db: Kysely<Tables>) {
      await sql
        .raw(
          `create table teams (
            name ${text} primary key, version integer not null, settings ${text} not null, created_at ${text} not null
          ) ${end}`,
        )
        .execute(db);
      await sql
        .raw(
          `create table rate_portions (
            owner ${text} primary key, tokens ${number} not null, filled_at ${number} not null
          ) ${end}`,
        )
        .execute(db);
    },
    async down(db: Kysely<Tables>) {
      await sql`drop table rate_portions`.execute(db);
      await sql`drop table teams`.execute(db);
    },
  };
}
