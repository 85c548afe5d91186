import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * The teams of an installation; only its own ledger has any. And what servers that share a ledger know of each other:
 * what is taken of limits, which sessions were signed out of, who looks at which case.
 */
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
      await sql
        .raw(
          `create table ended_sessions (
            token ${text} primary key, ends_at ${number} not null, ended_at ${number} not null
          ) ${end}`,
        )
        .execute(db);
      await sql
        .raw(
          `create table review_leases (
            case_id ${text} primary key, reviewer ${text} not null, until ${number} not null
          ) ${end}`,
        )
        .execute(db);
    },
    async down(db: Kysely<Tables>) {
      for (const table of ['review_leases', 'ended_sessions', 'rate_portions', 'teams'])
        await sql`drop table ${sql.table(table)}`.execute(db);
    },
  };
}
