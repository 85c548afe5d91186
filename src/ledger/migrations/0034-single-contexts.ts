import { sql, type Kysely, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import { unfoldAll } from '../compact/unfold-case.ts';
import type { Kind } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';

const columns = ['author', 'thread'] as const;

/**
 * Cases of a single row with a context: the author and the thread that they are found by stand in the listing, and go
 * with the row. Cases about a text that many refer to have a table of their own. The way back writes single rows as
 * cases: an earlier release would not see whose they are.
 */
export function singleContextsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea';
  const end = kind === 'sqlite' ? 'strict, without rowid' : 'partition by range (day)';
  const statements = [
    ...columns.flatMap((name) => [
      `alter table listing add column ${name} ${text}`,
      `create index listing_by_${name} on listing (${name}) where ${name} is not null`,
    ]),
    `create table text_cases (
      day integer not null, hash ${bytes} not null, id ${text} not null, primary key (day, hash, id)
    ) ${end}`,
    ...(kind === 'sqlite' ? [] : ['create table text_cases_rest partition of text_cases default']),
  ];
  return {
    async up(db: Kysely<Tables>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
    async down(db: Kysely<Tables>) {
      await unfoldAll(db as Transaction<Tables>, kind);
      await sql`drop table text_cases`.execute(db);
      for (const name of columns)
        for (const statement of [`drop index listing_by_${name}`, `alter table listing drop column ${name}`])
          await sql.raw(statement).execute(db);
    },
  };
}
