import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** What stands for the pixels of judged images, and the restricted queue of known ones. */
export function picturesSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict, without rowid' : '';
  const statements = [
    `create table pictures (
      debate ${text} not null references debates (id) on delete cascade, image ${text} not null,
      pdq ${text} not null, quality integer not null, crops ${text} not null, primary key (debate, image)
    ) ${end}`,
    `create table known_images (
      id ${text} not null primary key, case_id ${text} not null, item ${text}, run ${text}, image ${text} not null,
      pdq ${text} not null, list ${text} not null, entry ${text} not null, label ${text}, source ${text},
      distance integer not null, mirrored integer not null, found_at ${text} not null,
      state ${text} not null, note ${text}, settled_by ${text}, settled_at ${text}
    ) ${end}`,
    `create index known_images_by_time on known_images (found_at, id)`,
  ];
  return inTurn(statements);
}

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
  return inTurn(statements);
}

function inTurn(statements: readonly string[]): Migration {
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
