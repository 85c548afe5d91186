import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';

/** How far streams are, by their names. */
export function streamsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  return {
    async up(db: Kysely<Tables>) {
      await sql
        .raw(
          `create table stream_positions (
            stream ${text} primary key, version integer not null, position ${text} not null, moved_at ${text} not null
          ) ${end}`,
        )
        .execute(db);
    },
    async down(db: Kysely<Tables>) {
      await sql`drop table stream_positions`.execute(db);
    },
  };
}
