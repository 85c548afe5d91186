import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

/** What a server keeps: keys, idempotency keys, webhooks and their deliveries, and which policy is in force. */
export function serverSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const counter = kind === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key';
  const end = kind === 'sqlite' ? 'strict' : '';
  const statements = [
    `create table api_keys (
      id ${text} primary key, version integer not null, name ${text} not null, secret_hash ${text} not null,
      scopes ${text} not null, reviewer ${text},
      created_at ${text} not null, last_used_at ${text}, expires_at ${text}, revoked_at ${text}
    ) ${end}`,
    `create table idempotency_keys (
      owner ${text} not null, key ${text} not null, request ${text} not null, location ${text},
      state ${text} not null, claimed_at ${text} not null, primary key (owner, key)
    ) ${end}`,
    `create index idempotency_keys_by_moment on idempotency_keys (claimed_at)`,
    `create table webhooks (
      id ${text} primary key, version integer not null, url ${text} not null, events ${text} not null,
      secret ${text} not null, created_at ${text} not null, disabled_at ${text}, problem ${text}
    ) ${end}`,
    // A webhook that stands in a configuration file has deliveries, but no row.
    `create table deliveries (
      id ${text} primary key, version integer not null, webhook ${text} not null, event ${text} not null,
      payload ${text} not null, state ${text} not null, attempts integer not null,
      status integer, error ${text}, due_at ${text}, created_at ${text} not null, ended_at ${text}
    ) ${end}`,
    `create index deliveries_by_due on deliveries (webhook, due_at) where state = 'waiting'`,
    `create index deliveries_by_webhook on deliveries (webhook, created_at, id)`,
    `alter table policies add column kept_at ${text}`,
    `create table activations (position ${counter}, policy ${text} not null references policies (hash), ` +
      `activated_by ${text}, activated_at ${text} not null) ${end}`,
    `create index debates_by_policy on debates (policy)`,
    `create index precedents_by_state on precedents (state, id)`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
