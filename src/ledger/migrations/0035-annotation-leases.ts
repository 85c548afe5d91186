import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';

/** Who looks at which item of an annotation project now, on whichever server. */
export function annotationLeasesSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  return {
    async up(db: Kysely<Tables>) {
      await sql
        .raw(
          `create table annotation_leases (
            project ${text} not null references annotation_projects (id) on delete cascade, voter ${text} not null,
            position integer not null, until ${text} not null, primary key (project, voter)
          ) ${end}`,
        )
        .execute(db);
    },
    async down(db: Kysely<Tables>) {
      await sql`drop table annotation_leases`.execute(db);
    },
  };
}
