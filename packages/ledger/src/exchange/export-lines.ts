import { exportAnnotations } from '../annotation/annotation-lines.ts';
import { expandText } from '../calls/pack-call.ts';
import type { Database, Db } from '../database/database.ts';
import { largeRowsAtOnce, readAll } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { exportAudit } from '../server/audit-store.ts';
import { exportAttachments, exportDebates, exportEntries, exportSubjects, exportVerdicts } from './export-cases.ts';
import { readCorrection } from '../reviews/correction-store.ts';
import { readEdit } from '../reviews/finding-edit-store.ts';
import { decodeKey } from '../benches/bench-store.ts';
import { readItemError, readItemResult } from '../runs/run-rows.ts';

/** Every row at one moment, in an order in which nothing refers to what is yet to come. */
export async function* exportLines(database: Database): AsyncGenerator<LedgerLine> {
  await using moment = await database.snapshot();
  yield { kind: 'ledger', version: 1 };
  for (const lines of sections) yield* lines(moment.db);
}

/* A member that older exports lack is written only where there is something to say: their lines stay as they were. */
const sections: readonly ((db: Db) => AsyncGenerator<LedgerLine>)[] = [
  exportPolicies,
  // Before the cases: where each belongs is found out as it is read in.
  exportQueues,
  exportAttachments,
  exportSubjects,
  exportRuns,
  exportRunItems,
  exportDebates,
  exportCallTexts,
  exportCalls,
  exportEntries,
  exportVerdicts,
  exportDecisions,
  exportAssignments,
  exportCorrections,
  exportFindingEdits,
  exportLibrary,
  exportCache,
  exportBenches,
  exportBenchJudgements,
  exportBenchAttachments,
  exportAnnotations,
  exportAudit,
];

async function* exportPolicies(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('policies').selectAll(), ['hash']);
  for await (const { policy_version, document, kept_at, ...row } of rows)
    yield {
      kind: 'policy',
      ...row,
      policyVersion: policy_version,
      document: fromStored('policy', row.version, document),
      ...(kept_at === null ? {} : { keptAt: kept_at }),
    };
}

async function* exportLibrary(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('precedents').select(['id', 'version', 'precedent']);
  for await (const { version, precedent } of readAll(query, ['id']))
    yield { kind: 'precedent', version, precedent: fromStored('precedent', version, precedent) };
}

async function* exportCallTexts(db: Db): AsyncGenerator<LedgerLine> {
  for await (const { hash, data } of readAll(db.selectFrom('call_texts').selectAll(), ['hash']))
    yield { kind: 'call-text', version: 1, hash, text: expandText(data, hash) };
}

async function* exportCalls(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('calls').selectAll(), ['debate', 'key', 'input_hash', 'position']);
  for await (const { input_hash, call, kept_at, ...row } of rows) {
    const stored = fromStored('call', row.version, call);
    yield { kind: 'call', ...row, inputHash: input_hash, call: stored, keptAt: kept_at };
  }
}

async function* exportCache(db: Db): AsyncGenerator<LedgerLine> {
  for await (const { key, version, value, kept_at } of readAll(db.selectFrom('cache').selectAll(), ['key']))
    yield { kind: 'cache', version, key, value: fromStored('cache', version, value), keptAt: kept_at };
}

async function* exportQueues(db: Db): AsyncGenerator<LedgerLine> {
  const rows = await db.selectFrom('queues').selectAll().orderBy('position').orderBy('id').execute();
  for (const { rules, due_minutes, assignees, created_at, ...row } of rows)
    yield {
      kind: 'queue',
      ...row,
      rules: fromStored('queue', row.version, rules),
      dueMinutes: due_minutes,
      assignees: JSON.parse(assignees) as string[],
      createdAt: created_at,
    };
}

async function* exportDecisions(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('decisions').selectAll(), ['position']);
  for await (const { position: _, case_id, action, decided_by, decided_at, learnt_at, ...row } of rows)
    yield {
      kind: 'decision',
      ...row,
      case: case_id,
      ...(action === null ? {} : { action }),
      by: decided_by,
      at: decided_at,
      learntAt: learnt_at,
    };
}

async function* exportAssignments(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('listing').select(['opened_at', 'id', 'assigned']).where('assigned', 'is not', null);
  for await (const { id, assigned } of readAll(query, ['opened_at', 'id']))
    yield { kind: 'assignment', version: 1, case: id, to: assigned };
}

async function* exportCorrections(db: Db): AsyncGenerator<LedgerLine> {
  for await (const row of readAll(db.selectFrom('corrections').selectAll(), ['position'])) {
    const { at, withdrawn, ...correction } = readCorrection(row);
    yield {
      kind: 'correction',
      version: row.version,
      ...correction,
      at: at.toISOString(),
      withdrawn: withdrawn && { ...withdrawn, at: withdrawn.at.toISOString() },
    };
  }
}

async function* exportFindingEdits(db: Db): AsyncGenerator<LedgerLine> {
  for await (const row of readAll(db.selectFrom('finding_edits').selectAll(), ['case_id', 'finding'])) {
    const { at, ...edit } = readEdit(row);
    yield { kind: 'finding-edit', version: 1, ...edit, at: at.toISOString() };
  }
}

async function* exportRuns(db: Db): AsyncGenerator<LedgerLine> {
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

async function* exportRunItems(db: Db): AsyncGenerator<LedgerLine> {
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

async function* exportBenches(db: Db): AsyncGenerator<LedgerLine> {
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

async function* exportBenchJudgements(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('bench_judgements').selectAll(), ['bench', 'key']);
  for await (const { bench, key, version, result: stored } of rows) {
    const result = fromStored('bench-judgement', version, stored);
    yield { kind: 'bench-judgement', version, bench, key: decodeKey(key), result };
  }
}

async function* exportBenchAttachments(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('bench_attachments').selectAll(), ['bench', 'name'], largeRowsAtOnce);
  for await (const { bench, name, version, value } of rows)
    yield { kind: 'bench-attachment', version, bench, name, value: fromStored('bench-attachment', version, value) };
}
