import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/**
 * Queues of reviewers, and where each case stands among them. What is there already waits in the default queue, with
 * no time by which it should be decided.
 */
export function queuesSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  const statements = [
    `create table queues (
      id ${text} primary key, version integer not null, position integer not null, name ${text} not null unique,
      rules ${text} not null, due_minutes integer, assignees ${text} not null, created_at ${text} not null
    ) ${end}`,
    `alter table listing add column queue ${text} not null default 'default'`,
    // A moment that never comes, and not null: so that what has none is sorted last by both databases.
    `alter table listing add column due_at ${text} not null default '9999-12-31T23:59:59.999Z'`,
    `alter table listing add column sampled integer not null default 0`,
    `alter table listing add column assigned ${text}`,
    `create index listing_by_queue on listing (queue, stage, urgency desc, opened_at, id) where stage is not null`,
    // With whom it is assigned to at its end, so that a queue is counted without looking anything up.
    `create index listing_by_queue_due on listing (queue, stage, due_at, opened_at, id, assigned)
      where stage is not null`,
    `create index listing_by_due on listing (stage, due_at, opened_at, id) where stage is not null`,
    `create index listing_by_assigned on listing (assigned, stage) where assigned is not null`,
    `create index listing_sampled on listing (queue, decided) where sampled = 1`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
