import { keyedTable, table } from './table.ts';

/** What servers keep: keys, webhooks, rules that watch, teams; the audit log; the leaves of the record. */
export const serverTables = {
  api_keys: table(`
    id text primary key, version integer not null, name text not null, secret_hash text not null, scopes text not null,
    reviewer text, created_at text not null, last_used_at text, expires_at text, revoked_at text`),
  idempotency_keys: table(`
    owner text not null, key text not null, request text not null, location text, state text not null,
    claimed_at text not null, primary key (owner, key)`),
  webhooks: table(`
    id text primary key, version integer not null, url text not null, events text not null, secret text not null,
    created_at text not null, disabled_at text, problem text`),
  /** A webhook that stands in a configuration file has deliveries, but no row. */
  deliveries: table(`
    id text primary key, version integer not null, webhook text not null, event text not null, payload text not null,
    state text not null, attempts integer not null, status integer, error text, due_at text, created_at text not null,
    ended_at text`),
  activations: table(`
    position counter, policy text not null references policies (hash), activated_by text, activated_at text not null`),
  /** Ids are in the order of time, so that they are all that a page needs. */
  audit: keyedTable(`
    id text not null primary key, version integer not null, at text not null, who text, key text,
    operation text not null, target text, what text not null, status integer not null, request text not null`),
  watch_rules: keyedTable(`
    id text not null primary key, version integer not null, rule text not null, created_by text,
    created_at text not null, checked_at text`),
  /**
   * `value`: of the group that it is about; empty for all cases. `told_at`, `ended_told_at`: when receivers were told
   * that it was raised, and that it ended. `ended_at` is null while it stands.
   */
  alerts: keyedTable(`
    id text not null primary key, version integer not null,
    rule text not null references watch_rules (id) on delete cascade, value text not null, finding text not null,
    raised_at text not null, told_at text, ended_at text, ended_told_at text, acknowledged_by text,
    acknowledged_at text, note text`),
  /** `ended_at` is null while it judges. */
  shadows: keyedTable(`
    id text not null primary key, version integer not null, candidate text not null, created_by text,
    started_at text not null, ended_at text, why text, dropped integer not null, failed integer not null,
    spent_usd real not null`),
  shadow_pairs: keyedTable(`
    shadow text not null references shadows (id) on delete cascade,
    case_id text not null references debates (id) on delete cascade,
    shadow_case text not null references debates (id) on delete cascade, judged_at text not null,
    primary key (shadow, case_id)`),
  /**
   * One for each time that a record was written; never changed but for its `position`, null until it has its place in
   * the tree, and its `salt`, which is forgotten. `month`: the tree that it is in: that in which it was written.
   */
  record_leaves: table(`
    id counter, version integer not null, month text not null, kind text not null, record text not null,
    part text not null, salt bytes, commitment bytes not null, written_at text not null, position long`),
  /** `peaks`: the roots of its full subtrees as hexadecimal digits, in JSON. */
  record_trees: table(`month text not null primary key, size long not null, peaks text not null`),
  /**
   * `envelope`: a DSSE envelope, byte for byte. `time_stamp`: the answer of a time stamping authority (RFC 3161) about
   * these bytes; null where there is none, and in `time_stamp_problem` why, although there is an authority.
   */
  checkpoints: table(`
    number integer not null primary key, made_at text not null, envelope text not null, time_stamp bytes,
    time_stamp_problem text`),
  stream_positions: table(`
    stream text primary key, version integer not null, position text not null, moved_at text not null`),
  teams: table(`name text primary key, version integer not null, settings text not null, created_at text not null`),
  /** What is left of a limit that servers share: so many at a moment, in milliseconds. */
  rate_portions: table(`owner text primary key, tokens real not null, filled_at real not null`),
  /** Sessions that were signed out of, by the hash of their token, until they would have ended; in milliseconds. */
  ended_sessions: table(`token text primary key, ends_at real not null, ended_at real not null`),
  review_leases: table(`case_id text primary key, reviewer text not null, until real not null`),
};

export const serverIndexes = [
  'create index idempotency_keys_by_moment on idempotency_keys (claimed_at)',
  "create index deliveries_by_due on deliveries (webhook, due_at) where state = 'waiting'",
  'create index deliveries_by_webhook on deliveries (webhook, created_at, id)',
  'create index audit_by_who on audit (who, id) where who is not null',
  'create index audit_by_key on audit (key, id) where key is not null',
  'create index audit_by_operation on audit (operation, id)',
  'create index audit_by_target on audit (target) where target is not null',
  'create unique index alerts_standing on alerts (rule, value) where ended_at is null',
  'create index alerts_by_time on alerts (raised_at, id)',
  'create index shadow_pairs_by_case on shadow_pairs (case_id)',
  'create index shadow_pairs_by_shadow_case on shadow_pairs (shadow_case)',
  'create index record_leaves_by_record on record_leaves (record)',
  'create index record_leaves_waiting on record_leaves (id) where position is null',
  'create unique index record_leaves_in_trees on record_leaves (month, position) where position is not null',
];
