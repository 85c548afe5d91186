import type { Db } from '../database/database.ts';
import { readAll } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { readCorrection } from '../reviews/correction-store.ts';
import { readEdit } from '../reviews/finding-edit-store.ts';

export async function* exportQueues(db: Db): AsyncGenerator<LedgerLine> {
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

export async function* exportDecisions(db: Db): AsyncGenerator<LedgerLine> {
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

export async function* exportAssignments(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('listing').select(['opened_at', 'id', 'assigned']).where('assigned', 'is not', null);
  for await (const { id, assigned } of readAll(query, ['opened_at', 'id']))
    yield { kind: 'assignment', version: 1, case: id, to: assigned };
}

export async function* exportCorrections(db: Db): AsyncGenerator<LedgerLine> {
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

export async function* exportFindingEdits(db: Db): AsyncGenerator<LedgerLine> {
  for await (const row of readAll(db.selectFrom('finding_edits').selectAll(), ['case_id', 'finding'])) {
    const { at, ...edit } = readEdit(row);
    yield { kind: 'finding-edit', version: 1, ...edit, at: at.toISOString() };
  }
}
