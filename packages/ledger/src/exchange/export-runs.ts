import { decodeKey } from '../benches/bench-store.ts';
import type { Db } from '../database/database.ts';
import { largeRowsAtOnce, readAll } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { readItemError, readItemResult } from '../runs/run-rows.ts';

export async function* exportRuns(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('runs').selectAll(), ['id']);
  for await (const { settings, problem, total, started_at, ended_at, ...run } of rows)
    yield {
      kind: 'run',
      ...run,
      settings: fromStored('run', run.version, settings),
      ...(problem === null ? {} : { problem }),
      ...(total === null ? {} : { total }),
      startedAt: started_at,
      endedAt: ended_at,
    };
}

export async function* exportRunItems(db: Db): AsyncGenerator<LedgerLine> {
  for await (const row of readAll(db.selectFrom('run_items').selectAll(), ['run', 'position'])) {
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
  const rows = readAll(db.selectFrom('benches').selectAll(), ['id']);
  for await (const { plan, started_at, ended_at, touched_at, ...row } of rows)
    yield {
      kind: 'bench',
      ...row,
      plan: fromStored('bench', row.version, plan),
      startedAt: started_at,
      endedAt: ended_at,
      touchedAt: touched_at,
    };
}

export async function* exportBenchJudgements(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('bench_judgements').selectAll(), ['bench', 'key']);
  for await (const { bench, key, version, result: stored } of rows) {
    const result = fromStored('bench-judgement', version, stored);
    yield { kind: 'bench-judgement', version, bench, key: decodeKey(key), result };
  }
}

export async function* exportBenchAttachments(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('bench_attachments').selectAll(), ['bench', 'name'], largeRowsAtOnce);
  for await (const { bench, name, version, value } of rows)
    yield { kind: 'bench-attachment', version, bench, name, value: fromStored('bench-attachment', version, value) };
}
