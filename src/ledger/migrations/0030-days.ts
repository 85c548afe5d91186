import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { defaultQueue, never } from '../cases/listing.ts';
import type { Kind } from '../database/database.ts';
import { firstDayKey, partitionedTables } from '../postgres/partitions.ts';
import type { Tables } from '../tables/tables.ts';

/** The others came with parts from the start. */
const dividedTables = partitionedTables.filter(({ name }) => name === 'listing' || name === 'texts');

/** The listing by the day, on PostgreSQL. What is there becomes the first part as it is: nothing is copied. */
export function daysSchema(kind: Kind): Migration {
  if (kind === 'sqlite') return { up: async () => undefined, down: async () => undefined };
  return {
    async up(db: Kysely<Tables>) {
      const { rows } = await sql<{ last: string | null }>`select max(opened_at) as last from listing`.execute(db);
      const last = rows[0]!.last;
      const dayMs = 86_400_000;
      const first = last === null ? new Date() : new Date(Date.parse(last.slice(0, 10)) + dayMs);
      const date = first.toISOString().slice(0, 10);
      await sql`drop index listing_by_id`.execute(db);
      // A case that is a single row waits in no queue, and does not take the room to say so.
      await sql`alter table listing alter column queue drop not null, alter column due_at drop not null`.execute(db);
      for (const { name, column, bound, own } of dividedTables)
        for (const statement of [
          `alter table ${name} rename to ${name}_before`,
          `create table ${name} (like ${name}_before including all) partition by range (${column})`,
          `alter table ${name} attach partition ${name}_before for values from (minvalue) to (${bound(date)})`,
          ...own(`${name}_before`),
          `create table ${name}_rest partition of ${name} default`,
          ...own(`${name}_rest`),
        ])
          await sql.raw(statement).execute(db);
      await db.insertInto('meta').values({ key: firstDayKey, value: date }).execute();
    },
    async down(db: Kysely<Tables>) {
      for (const { name } of dividedTables)
        for (const statement of [
          `alter table ${name} detach partition ${name}_before`,
          `insert into ${name}_before select * from ${name}`,
          `drop table ${name}`,
          `alter table ${name}_before rename to ${name}`,
        ])
          await sql.raw(statement).execute(db);
      await sql`drop index listing_before_by_id`.execute(db);
      await sql`update listing set queue = ${defaultQueue}, due_at = ${never} where queue is null`.execute(db);
      await sql`alter table listing alter column queue set not null, alter column due_at set not null`.execute(db);
      await sql`create unique index listing_by_id on listing (id)`.execute(db);
      await db.deleteFrom('meta').where('key', '=', firstDayKey).execute();
    },
  };
}
