import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** Benches, their judgements and what else belongs to them. */
export function benchesSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  const statements = [
    `create table benches (
      id ${text} primary key, version integer not null, name ${text} not null, plan ${text} not null,
      state ${text} not null,
      started_at ${text} not null, ended_at ${text}, touched_at ${text} not null
    ) ${end}`,
    `create index benches_by_moment on benches (started_at, id)`,
    `create table bench_judgements (
      bench ${text} not null references benches (id) on delete cascade, key ${text} not null,
      version integer not null, result ${text} not null,
      primary key (bench, key)
    ) ${end}`,
    `create table bench_attachments (
      bench ${text} not null references benches (id) on delete cascade, name ${text} not null,
      version integer not null, value ${text} not null,
      primary key (bench, name)
    ) ${end}`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
