import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** What people make of the findings of an analysis for its report. */
export function findingEditsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  return {
    async up(db) {
      await sql
        .raw(
          `create table finding_edits (
            case_id ${text} not null references debates (id) on delete cascade, finding ${text} not null,
            wording ${text}, note ${text}, left_out integer not null,
            edited_by ${text} not null, edited_at ${text} not null,
            primary key (case_id, finding)
          ) ${end}`,
        )
        .execute(db);
    },
  };
}

/** So that what somebody is to decide, or nobody in particular, is counted and put in order by an index alone. */
export function assignedSchema(): Migration {
  const statements = [
    'drop index listing_by_assigned',
    `create index listing_by_assigned on listing (assigned, stage, urgency desc, opened_at, id)
      where stage is not null`,
    'drop index listing_by_due',
    `create index listing_by_due on listing (stage, due_at, opened_at, id, assigned) where stage is not null`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

/** Items whose worker died while it had others in hand too are tried by themselves from then on. */
export function aloneSchema(): Migration {
  return {
    async up(db) {
      await sql.raw('alter table run_items add column alone integer not null default 0').execute(db);
    },
  };
}
