import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import { enterOlderRecords } from '../records/enter-records.ts';
import type { Tables } from '../tables/tables.ts';

/** A leaf for every record, in trees by the month, and checkpoints of them. What is here already is entered now. */
export function recordsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea';
  const end = kind === 'sqlite' ? 'strict' : '';
  const counter = kind === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key';
  const large = kind === 'sqlite' ? 'integer' : 'bigint';
  const statements = [
    `create table record_leaves (
      id ${counter}, version integer not null, month ${text} not null, kind ${text} not null, record ${text} not null,
      part ${text} not null, origin ${text} not null, salt ${bytes}, commitment ${bytes} not null,
      written_at ${text} not null, position ${large}
    ) ${end}`,
    'create index record_leaves_by_record on record_leaves (record)',
    'create index record_leaves_waiting on record_leaves (id) where position is null',
    'create unique index record_leaves_in_trees on record_leaves (month, position) where position is not null',
    `create table record_trees (month ${text} not null primary key, size ${large} not null, peaks ${text} not null)
      ${end}`,
    `create table checkpoints (
      number integer not null primary key, made_at ${text} not null, envelope ${text} not null, time_stamp ${bytes},
      time_stamp_problem ${text}
    ) ${end}`,
  ];
  return {
    async up(db: Kysely<Tables>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
      await db.insertInto('meta').values({ key: 'ledger', value: randomUUID() }).execute();
      await enterOlderRecords(db as Transaction<Tables>, kind);
    },
  };
}
