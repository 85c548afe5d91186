import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** What people find in items beside a label: tags, severity, marks. Older projects ask for none of it. */
export function marksSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  return {
    async up(db) {
      for (const column of [
        'annotation_projects add column marking',
        'annotation_votes add column finding',
        'annotation_adjudications add column finding',
      ])
        await sql.raw(`alter table ${column} ${text}`).execute(db);
    },
  };
}
