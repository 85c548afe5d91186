import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import { chooseQueueSchema } from '../postgres/queue-schema.ts';
import type { Tables } from '../tables/tables.ts';

/** Of indexes that say something of items that have ended, those of others are no part: they are written often. */
const indexes = [
  ['run_items_by_end', '(run, ended_at, position)', 'ended_at is not null'],
  ['run_items_by_case', '(case_id)', 'case_id is not null'],
] as const;

/**
 * On PostgreSQL, a job of the queue is a slice of a run; those that are one item are adopted by whoever takes them, for
 * workers of earlier releases may be at them. An item that is put in, taken and ended is in fewer indexes on the way.
 */
export function slicesSchema(kind: Kind): Migration {
  return {
    async up(db: Kysely<Tables>) {
      for (const [name, columns, condition] of indexes) {
        await sql.raw(`drop index ${name}`).execute(db);
        await sql.raw(`create index ${name} on run_items ${columns} where ${condition}`).execute(db);
      }
    },
    /** An earlier version knows no slices: the runs wait to be resumed, which queues their items anew. */
    async down(db: Kysely<Tables>) {
      for (const [name, columns] of indexes) {
        await sql.raw(`drop index ${name}`).execute(db);
        await sql.raw(`create index ${name} on run_items ${columns}`).execute(db);
      }
      const jobs = await findJobs(db, kind);
      if (!jobs) return;
      await sql`update run_items set state = 'waiting', worker = null where state = 'running'`.execute(db);
      await sql`update runs set state = 'stopped', problem = 'The ledger was taken back to an earlier schema.'
        where state = 'running' and id in (select run from run_items where state = 'waiting')`.execute(db);
      await sql`delete from ${jobs}`.execute(db);
    },
  };
}

/** The table of pg-boss; null where there is none. */
async function findJobs(db: Kysely<Tables>, kind: Kind) {
  if (kind === 'sqlite') return null;
  const table = `${await chooseQueueSchema(db)}.job`;
  const { rows } = await sql<{ made: boolean }>`select to_regclass(${table}) is not null as made`.execute(db);
  return rows[0]!.made ? sql.table(table) : null;
}
