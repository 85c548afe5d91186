import type { Db } from '../database/database.ts';
import { pageSize, readPages } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { readCorrection } from '../reviews/correction-store.ts';
import { readEdit } from '../reviews/finding-edit-store.ts';

export async function* exportQueues(db: Db): AsyncGenerator<LedgerLine> {
  const rows = await db.selectFrom('queues').selectAll().orderBy('position').orderBy('id').execute();
  for (const { id, version, position, name, rules, due_minutes, assignees, created_at } of rows)
    yield {
      kind: 'queue',
      version,
      id,
      position,
      name,
      rules: fromStored('queue', version, rules),
      dueMinutes: due_minutes,
      assignees: JSON.parse(assignees) as string[],
      createdAt: created_at,
    };
}

export async function* exportDecisions(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('decisions').selectAll().orderBy('position').limit(pageSize);
  const rows = readPages(query, (all, { position }) => all.where('position', '>', position));
  for await (const { id, version, case_id, label, why, clause, action, decided_by, decided_at, learnt_at } of rows)
    yield {
      kind: 'decision',
      version,
      id,
      case: case_id,
      label,
      why,
      clause,
      ...(action === null ? {} : { action }),
      by: decided_by,
      at: decided_at,
      learntAt: learnt_at,
    };
}

export async function* exportAssignments(db: Db): AsyncGenerator<LedgerLine> {
  const query = db
    .selectFrom('listing')
    .select(['opened_at', 'id', 'assigned'])
    .where('assigned', 'is not', null)
    .orderBy('opened_at')
    .orderBy('id')
    .limit(pageSize);
  const rows = readPages(query, (all, { opened_at, id }) =>
    all.where(({ eb, refTuple, tuple }) => eb(refTuple('opened_at', 'id'), '>', tuple(opened_at, id))),
  );
  for await (const { id, assigned } of rows) yield { kind: 'assignment', version: 1, case: id, to: assigned };
}

export async function* exportCorrections(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('corrections').selectAll().orderBy('position').limit(pageSize);
  const rows = readPages(query, (all, { position }) => all.where('position', '>', position));
  for await (const row of rows) {
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
  const query = db.selectFrom('finding_edits').selectAll().orderBy('case_id').orderBy('finding').limit(pageSize);
  const rows = readPages(query, (all, { case_id, finding }) =>
    all.where(({ eb, or, and }) =>
      or([eb('case_id', '>', case_id), and([eb('case_id', '=', case_id), eb('finding', '>', finding)])]),
    ),
  );
  for await (const row of rows) {
    const { at, ...edit } = readEdit(row);
    yield { kind: 'finding-edit', version: 1, ...edit, at: at.toISOString() };
  }
}
