import { exportAnnotations } from '../annotation/annotation-lines.ts';
import { expandText } from '../calls/pack-call.ts';
import type { Database, Db } from '../database/database.ts';
import { readAll } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { exportAudit } from '../server/audit-store.ts';
import { exportAttachments, exportDebates, exportEntries, exportSubjects, exportVerdicts } from './export-cases.ts';
import {
  exportAssignments,
  exportCorrections,
  exportDecisions,
  exportFindingEdits,
  exportQueues,
} from './export-reviews.ts';
import {
  exportBenchAttachments,
  exportBenches,
  exportBenchJudgements,
  exportRunItems,
  exportRuns,
} from './export-runs.ts';

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
