import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** Who did what on a server. Ids are in the order of time, so that they are all that a page needs. */
export function auditSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict, without rowid' : '';
  const statements = [
    `create table audit (
      id ${text} not null primary key, version integer not null, at ${text} not null, who ${text}, key ${text},
      operation ${text} not null, target ${text}, what ${text} not null, status integer not null,
      request ${text} not null
    ) ${end}`,
    `create index audit_by_who on audit (who, id) where who is not null`,
    `create index audit_by_key on audit (key, id) where key is not null`,
    `create index audit_by_operation on audit (operation, id)`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
