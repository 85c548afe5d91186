import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** What people say the verdicts on claims should have been. */
export function correctionsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const counter = kind === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key';
  const end = kind === 'sqlite' ? 'strict' : '';
  const statements = [
    `create table corrections (
      position ${counter}, id ${text} not null unique, version integer not null,
      case_id ${text} not null references debates (id) on delete cascade, claim ${text} not null,
      text ${text} not null, verdict ${text} not null, label ${text} not null, why ${text} not null,
      decided_by ${text} not null, decided_at ${text} not null,
      withdrawn_at ${text}, withdrawn_by ${text}, withdrawn_why ${text}, matter ${text} not null
    ) ${end}`,
    `create index corrections_by_case on corrections (case_id, decided_at, position)`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
