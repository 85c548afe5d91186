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
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
