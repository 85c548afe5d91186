import { sql, type Kysely, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import { rebuildHolds } from '../holds/hold-log.ts';
import type { Tables } from '../tables/tables.ts';

/** Legal holds, as the audit log tells them; its lines by what they are about; verdicts and decisions by their time. */
export function holdsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict, without rowid' : '';
  const statements = [
    `create table legal_holds (
      id ${text} not null primary key, version integer not null, case_id ${text}, author ${text},
      reason ${text} not null, placed_by ${text} not null, placed_at ${text} not null, until ${text},
      lifted_at ${text}, lifted_by ${text}, lifted_why ${text}
    ) ${end}`,
    'create index legal_holds_by_case on legal_holds (case_id) where case_id is not null',
    'create index legal_holds_by_author on legal_holds (author) where author is not null',
    'create index audit_by_target on audit (target) where target is not null',
    'create index verdicts_by_closing on verdicts (closed_at, debate)',
    'create index decisions_by_time on decisions (decided_at, case_id)',
  ];
  return {
    async up(db: Kysely<Tables>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
      await rebuildHolds(db as Transaction<Tables>);
    },
    /** The holds stay in the audit log. */
    async down(db: Kysely<Tables>) {
      for (const index of ['decisions_by_time', 'verdicts_by_closing', 'audit_by_target'])
        await sql`drop index ${sql.id(index)}`.execute(db);
      await sql`drop table legal_holds`.execute(db);
    },
  };
}
