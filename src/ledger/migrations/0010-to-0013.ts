import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** Which file a known image was in: an item that names it again finds no bytes, and is still told by the list. */
export function knownFilesSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  return inTurn([
    `alter table known_images add column file ${text}`,
    'create index known_images_by_file on known_images (file)',
  ]);
}

/** What verdicts propose to do, and what people decide on. Older ones propose nothing. */
export function actionsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  return inTurn([
    `alter table verdicts add column action ${text}`,
    `alter table verdicts add column severity ${text}`,
    `alter table listing add column action ${text}`,
    `alter table listing add column severity ${text}`,
    `alter table decisions add column action ${text}`,
  ]);
}

/** What is known about items beside what they say; cases of an author or a thread are found by it, by time. */
export function contextSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict, without rowid' : '';
  return inTurn([
    `create table contexts (
      debate ${text} not null primary key references debates (id) on delete cascade, version integer not null,
      opened_at ${text} not null, author ${text}, thread ${text}, context ${text} not null
    ) ${end}`,
    `create index contexts_by_author on contexts (author, opened_at, debate) where author is not null`,
    `create index contexts_by_thread on contexts (thread, opened_at, debate) where thread is not null`,
  ]);
}

/**
 * When a debate last showed that it is held, and what stopped it; and what was sent to models for its turns, each text
 * once.
 */
export function callsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea';
  const end = kind === 'sqlite' ? 'strict, without rowid' : '';
  return inTurn([
    `alter table debates add column seen_at ${text}`,
    `alter table debates add column problem ${text}`,
    `create table call_texts (hash ${text} not null primary key, data ${bytes} not null)
      ${kind === 'sqlite' ? 'strict' : ''}`,
    `create table calls (
      debate ${text} not null, key ${text} not null, input_hash ${text} not null, position integer not null,
      version integer not null, call ${text} not null, kept_at ${text} not null,
      primary key (debate, key, input_hash, position)
    ) ${end}`,
    `create table call_parts (
      debate ${text} not null, hash ${text} not null references call_texts (hash), primary key (debate, hash)
    ) ${end}`,
    `create index call_parts_by_hash on call_parts (hash)`,
  ]);
}

function inTurn(statements: readonly string[]): Migration {
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
