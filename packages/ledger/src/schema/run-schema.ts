import { serverTable, table } from './table.ts';

/**
 * Runs, benches and annotation projects, with their items; on PostgreSQL workers and their shares of models' limits.
 */
export const runTables = {
  runs: table(`
    id text primary key, version integer not null, name text, job text not null, configuration text not null,
    settings text not null, input text, state text not null, started_at text not null, ended_at text, problem text,
    total long`),
  /**
   * `input`: what is to be judged; null when it could not be read, and when it was judged: then it is the case’s
   * subject. `alone` is 1 when a worker died that had it in hand: it is tried while its worker has nothing else.
   * `due_at`: not before this moment; null for at once.
   */
  run_items: table(`
    run text not null references runs (id) on delete cascade, position long not null, version integer not null,
    key text not null, hash text not null, input text, expected text, state text not null, same_as long,
    attempts integer not null, worker text, due_at text, case_id text, label text, risk real, escalate integer,
    decided_by text, calls long, input_tokens long, output_tokens long, cached_tokens long, cost_usd real,
    latency_ms real, error text, ended_at text, alone integer not null default 0, primary key (run, position),
    unique (run, key)`),
  run_accounts: table(`
    run text primary key references runs (id) on delete cascade, tokens long not null, usd real not null`),
  reservations: table(`
    call text primary key, run text not null references runs (id) on delete cascade, tokens long not null,
    usd real not null, settled integer not null`),
  /** `touched_at`: when something of it was last written. */
  benches: table(`
    id text primary key, version integer not null, name text not null, plan text not null, state text not null,
    started_at text not null, ended_at text, touched_at text not null`),
  /** `key` is a text of JSON. */
  bench_judgements: table(`
    bench text not null references benches (id) on delete cascade, key text not null, version integer not null,
    result text not null, primary key (bench, key)`),
  bench_attachments: table(`
    bench text not null references benches (id) on delete cascade, name text not null, version integer not null,
    value text not null, primary key (bench, name)`),
  annotation_projects: table(`
    id text primary key, version integer not null, name text not null, labels text not null, votes integer not null,
    guidelines text, created_by text, created_at text not null, marking text`),
  /**
   * How far an item has come (`voted`, `state`, `label`) is told by its votes; kept beside it, since it is what items
   * are looked for by.
   */
  annotation_items: table(`
    project text not null references annotation_projects (id) on delete cascade, position integer not null,
    version integer not null, key text not null, content text not null, voted integer not null, state text not null,
    label text, primary key (project, position)`),
  annotation_images: table(`
    project text not null, position integer not null, number integer not null, name text not null,
    attachment text not null references attachments (hash), primary key (project, position, number),
    foreign key (project, position) references annotation_items (project, position) on delete cascade`),
  annotation_votes: table(`
    project text not null, position integer not null, voter text not null, version integer not null,
    label text not null, why text, viewed text not null, took_ms integer, voted_at text not null, finding text,
    primary key (project, position, voter),
    foreign key (project, position) references annotation_items (project, position) on delete cascade`),
  annotation_adjudications: table(`
    project text not null, position integer not null, version integer not null, label text not null, why text not null,
    decided_by text not null, decided_at text not null, finding text, primary key (project, position),
    foreign key (project, position) references annotation_items (project, position) on delete cascade`),
  annotation_leases: table(`
    project text not null references annotation_projects (id) on delete cascade, voter text not null,
    position integer not null, until text not null, primary key (project, voter)`),
  workers: serverTable(`
    id text primary key, host text not null, pid integer not null, version text not null, concurrency integer not null,
    running integer not null, judged long not null, failed long not null, state text not null,
    started_at moment not null, seen_at moment not null`),
  shares: serverTable(`
    model text not null, worker text not null, wanted integer not null, concurrency integer not null,
    requests_per_minute real, tokens_per_minute real, until moment not null, primary key (model, worker)`),
};

export const runIndexes = [
  // A broken line has nothing to judge: two of them are not the same.
  `create unique index run_items_by_content on run_items (run, hash)
      where state <> 'same' and (input is not null or state <> 'failed')`,
  'create index run_items_by_same on run_items (run, same_as) where same_as is not null',
  'create index run_items_by_state on run_items (run, state, position)',
  'create index run_items_compared on run_items (run, hash, label, risk, position) where label is not null',
  'create index run_items_by_end on run_items (run, ended_at, position) where ended_at is not null',
  'create index run_items_by_case on run_items (case_id) where case_id is not null',
  'create index reservations_by_run on reservations (run)',
  'create index benches_by_moment on benches (started_at, id)',
  'create index annotation_items_by_need on annotation_items (project, state, voted desc, position)',
  'create index annotation_images_by_attachment on annotation_images (attachment)',
  'create index annotation_votes_by_voter on annotation_votes (project, voter)',
];
