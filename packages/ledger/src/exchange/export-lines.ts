import { exportAnnotations } from '../annotation/annotation-lines.ts';
import type { Database, Db } from '../database/database.ts';
import type { LedgerLine } from '../ledger.ts';
import { exportAudit } from '../server/audit-store.ts';
import { exportCache, exportCalls, exportCallTexts } from './export-calls.ts';
import { exportAttachments, exportDebates, exportEntries, exportSubjects, exportVerdicts } from './export-cases.ts';
import { exportPolicies, exportLibrary } from './export-library.ts';
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
import { exportSingleVerdicts } from './export-single-cases.ts';

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
  exportSingleVerdicts,
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
