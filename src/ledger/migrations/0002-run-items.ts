import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';

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
