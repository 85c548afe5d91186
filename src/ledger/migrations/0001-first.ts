import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** Subjects, debates, entries, verdicts, decisions, precedents, runs and the cache. */
export function firstSchema(kind: Kind): Migration {
  // One order of texts on both: that of their bytes.
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const real = kind === 'sqlite' ? 'real' : 'double precision';
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea';
  const counter = kind === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key';
  const end = kind === 'sqlite' ? 'strict' : '';
  const statements = [
    `create table meta (key ${text} primary key, value ${text} not null) ${end}`,
    `create table policies (
      hash ${text} primary key, version integer not null, name ${text} not null, policy_version ${text} not null,
      document ${text} not null
    ) ${end}`,
    `create table attachments (hash ${text} primary key, media_type ${text} not null, data ${bytes} not null) ${end}`,
    `create table subjects (
      hash ${text} primary key, version integer not null, content ${text}, excerpt ${text}, search ${text},
      opened_at ${text} not null, forgotten_at ${text}
    ) ${end}`,
    `create table subject_attachments (
      subject ${text} not null references subjects (hash) on delete cascade, position integer not null,
      attachment ${text} not null references attachments (hash), primary key (subject, position)
    ) ${end}`,
    `create index subject_attachments_by_attachment on subject_attachments (attachment)`,
    `create table runs (
      id ${text} primary key, version integer not null, name ${text}, job ${text} not null,
      configuration ${text} not null,
      settings ${text} not null, input ${text}, state ${text} not null, started_at ${text} not null, ended_at ${text}
    ) ${end}`,
    `create table debates (
      id ${text} primary key, version integer not null, job ${text} not null,
      subject ${text} not null references subjects (hash),
      configuration ${text} not null, settings ${text} not null, policy ${text} not null references policies (hash),
      run ${text}, again_of ${text}, again_how ${text}, opened_at ${text} not null, forgotten_at ${text}
    ) ${end}`,
    `create index debates_by_moment on debates (opened_at, id)`,
    `create index debates_by_subject on debates (subject)`,
    `create index debates_by_run on debates (run)`,
    `create table entries (
      id ${counter}, debate ${text} not null, key ${text} not null, input_hash ${text} not null,
      version integer not null,
      entry ${text} not null, created_at ${text} not null, unique (debate, key, input_hash)
    ) ${end}`,
    `create table verdicts (
      debate ${text} primary key references debates (id) on delete cascade, version integer not null,
      label ${text} not null,
      score ${real}, probability ${real}, escalate integer not null, rule ${text} not null, categories ${text} not null,
      degraded integer not null, modality ${text}, answer ${text}, seal ${text} not null, closed_at ${text} not null
    ) ${end}`,
    `create table decisions (
      position ${counter}, id ${text} not null unique, version integer not null,
      case_id ${text} not null references debates (id) on delete cascade,
      label ${text} not null, why ${text}, clause ${text}, decided_by ${text} not null, decided_at ${text} not null,
      learnt_at ${text}
    ) ${end}`,
    `create index decisions_by_case on decisions (case_id, decided_at, position)`,
    `create index decisions_by_moment on decisions (decided_at, position)`,
    `create table precedents (
      id ${text} primary key, version integer not null, label ${text} not null, category ${text},
      state ${text} not null,
      subject ${text}, precedent ${text} not null, hash ${text} not null
    ) ${end}`,
    `create index precedents_by_subject on precedents (subject)`,
    `create table precedent_vectors (
      precedent ${text} not null, model ${text} not null, data ${bytes} not null,
      primary key (model, precedent)
    ) ${end}`,
    `create table cache (key ${text} primary key, version integer not null, value ${text} not null, kept_at ${text} ` +
      `not null) ${end}`,
    `create index cache_by_moment on cache (kept_at)`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
