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

/** The items of runs, what runs may spend, and on PostgreSQL the workers and their shares of models' limits. */
export function runItemsSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const real = kind === 'sqlite' ? 'real' : 'double precision';
  const long = kind === 'sqlite' ? 'integer' : 'bigint';
  const end = kind === 'sqlite' ? 'strict' : '';
  const statements = [
    `alter table runs add column problem ${text}`,
    `alter table runs add column total ${long}`,
    `alter table attachments add column kept_at ${text}`,
    `create table run_items (
      run ${text} not null references runs (id) on delete cascade, position ${long} not null,
      version integer not null, key ${text} not null, hash ${text} not null,
      input ${text}, expected ${text}, state ${text} not null, same_as ${long}, attempts integer not null,
      worker ${text}, due_at ${text},
      case_id ${text}, label ${text}, score ${real}, escalate integer, decided_by ${text},
      calls ${long}, input_tokens ${long}, output_tokens ${long}, cached_tokens ${long}, cost_usd ${real},
      latency_ms ${real},
      error ${text}, ended_at ${text}, primary key (run, position), unique (run, key)
    ) ${end}`,
    // A broken line has nothing to judge: two of them are not the same.
    "create unique index run_items_by_content on run_items (run, hash) where state <> 'same' and (input is not " +
      "null or state <> 'failed')",
    `create index run_items_by_same on run_items (run, same_as) where same_as is not null`,
    `create index run_items_by_state on run_items (run, state, position)`,
    `create index run_items_by_end on run_items (run, ended_at, position)`,
    `create index run_items_by_case on run_items (case_id)`,
    `create table run_accounts (run ${text} primary key references runs (id) on delete cascade, tokens ${long} ` +
      `not null, usd ${real} not null) ${end}`,
    `create table reservations (
      call ${text} primary key, run ${text} not null references runs (id) on delete cascade, tokens ${long} not null,
      usd ${real} not null, settled integer not null
    ) ${end}`,
    `create index reservations_by_run on reservations (run)`,
  ];
  const forFleets = [
    `create table workers (
      id ${text} primary key, host ${text} not null, pid integer not null, version ${text} not null,
      concurrency integer not null, running integer not null,
      judged bigint not null, failed bigint not null, state ${text} not null, started_at timestamptz not null,
        seen_at timestamptz not null
    )`,
    `create table shares (
      model ${text} not null, worker ${text} not null, wanted integer not null, concurrency integer not null,
      requests_per_minute ${real}, tokens_per_minute ${real}, until timestamptz not null, primary key (model, worker)
    )`,
  ];
  return {
    async up(db) {
      for (const statement of [...statements, ...(kind === 'postgresql' ? forFleets : [])])
        await sql.raw(statement).execute(db);
    },
  };
}

/** Benches, their judgements and what else belongs to them. */
export function benchesSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  const statements = [
    `create table benches (
      id ${text} primary key, version integer not null, name ${text} not null, plan ${text} not null,
      state ${text} not null,
      started_at ${text} not null, ended_at ${text}, touched_at ${text} not null
    ) ${end}`,
    `create index benches_by_moment on benches (started_at, id)`,
    `create table bench_judgements (
      bench ${text} not null references benches (id) on delete cascade, key ${text} not null,
      version integer not null, result ${text} not null,
      primary key (bench, key)
    ) ${end}`,
    `create table bench_attachments (
      bench ${text} not null references benches (id) on delete cascade, name ${text} not null,
      version integer not null, value ${text} not null,
      primary key (bench, name)
    ) ${end}`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

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
