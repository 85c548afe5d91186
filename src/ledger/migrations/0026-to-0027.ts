import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';

/** So that what two runs said of the same contents is compared along an index alone. */
export function comparedSchema(): Migration {
  return {
    async up(db) {
      await sql
        .raw(`create index run_items_compared on run_items (run, hash, label, score, position) where label is not null`)
        .execute(db);
    },
    async down(db) {
      await sql`drop index run_items_compared`.execute(db);
    },
  };
}

/** Of what is overdue, by when it was due when that was told. What is overdue already is no news. */
export function overdueSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  return {
    async up(db: Kysely<Tables>) {
      await sql
        .raw(
          `create table overdue_told (
            case_id ${text} not null references debates (id) on delete cascade, due_at ${text} not null,
            told_at ${text} not null, primary key (case_id, due_at)
          ) ${end}`,
        )
        .execute(db);
      const now = new Date().toISOString();
      await sql`insert into overdue_told (case_id, due_at, told_at)
        select id, due_at, ${now} from listing where stage is not null and stage <> 'done' and due_at <= ${now}`.execute(
        db,
      );
    },
    async down(db: Kysely<Tables>) {
      await sql`drop table overdue_told`.execute(db);
    },
  };
}
