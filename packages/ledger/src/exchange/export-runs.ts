import { decodeKey } from '../benches/bench-store.ts';
import type { Db } from '../database/database.ts';
import { largeRowsAtOnce, pageSize, readPages } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { readItemError, readItemResult } from '../runs/run-rows.ts';

export async function* exportRuns(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readPages(db.selectFrom('runs').selectAll().orderBy('id').limit(pageSize), (query, { id }) =>
    query.where('id', '>', id),
  );
  for await (const { version, settings, problem, total, started_at, ended_at, ...run } of rows)
    yield {
      kind: 'run',
      version,
      id: run.id,
      name: run.name,
      job: run.job,
      configuration: run.configuration,
      settings: fromStored('run', version, settings),
      input: run.input,
      state: run.state,
      ...(problem === null ? {} : { problem }),
      ...(total === null ? {} : { total }),
      startedAt: started_at,
      endedAt: ended_at,
    };
}

export async function* exportRunItems(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('run_items').selectAll().orderBy('run').orderBy('position').limit(pageSize);
  const rows = readPages(query, (all, { run, position }) =>
    all.where(({ eb, refTuple, tuple }) => eb(refTuple('run', 'position'), '>', tuple(run, position))),
  );
  for await (const row of rows) {
    const { run, position, version, key, hash, input, expected, state, same_as, attempts, error, ended_at } = row;
    yield {
      kind: 'run-item',
      version,
      run,
      position,
      key,
      hash,
      input: input === null ? null : fromStored('run-item', version, input),
      expected,
      // Who has it in hand here has nothing in hand where the export is read.
      state: state === 'running' ? 'waiting' : state,
      sameAs: same_as,
      attempts,
      result: readItemResult(row),
      error: error === null ? null : readItemError(error),
      endedAt: ended_at,
    };
  }
}

export async function* exportBenches(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readPages(db.selectFrom('benches').selectAll().orderBy('id').limit(pageSize), (query, { id }) =>
    query.where('id', '>', id),
  );
  for await (const { id, version, name, plan, state, started_at, ended_at, touched_at } of rows)
    yield {
      kind: 'bench',
      version,
      id,
      name,
      plan: fromStored('bench', version, plan),
      state,
      startedAt: started_at,
      endedAt: ended_at,
      touchedAt: touched_at,
    };
}

export async function* exportBenchJudgements(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('bench_judgements').selectAll().orderBy('bench').orderBy('key').limit(pageSize);
  const rows = readPages(query, (all, { bench, key }) =>
    all.where(({ eb, refTuple, tuple }) => eb(refTuple('bench', 'key'), '>', tuple(bench, key))),
  );
  for await (const { bench, key, version, result } of rows)
    yield {
      kind: 'bench-judgement',
      version,
      bench,
      key: decodeKey(key),
      result: fromStored('bench-judgement', version, result),
    };
}

export async function* exportBenchAttachments(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('bench_attachments').selectAll().orderBy('bench').orderBy('name').limit(largeRowsAtOnce);
  const rows = readPages(query, (all, { bench, name }) =>
    all.where(({ eb, refTuple, tuple }) => eb(refTuple('bench', 'name'), '>', tuple(bench, name))),
  );
  for await (const { bench, name, version, value } of rows)
    yield { kind: 'bench-attachment', version, bench, name, value: fromStored('bench-attachment', version, value) };
}
