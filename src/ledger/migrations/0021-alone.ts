import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Items whose worker died while it had others in hand too are tried by themselves from then on. */
export function aloneSchema(): Migration {
  return {
    async up(db) {
      await sql.raw('alter table run_items add column alone integer not null default 0').execute(db);
    },
  };
}
