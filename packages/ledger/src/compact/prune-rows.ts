import { sql } from 'kysely';
import type { Kind, Trx } from '../database/database.ts';
import { heldSubjects } from '../holds/check-holds.ts';
import { dropDay, listDaysBefore } from '../postgres/partitions.ts';
import { addLeaves, makeForgettingLeaf } from '../records/leaves.ts';
import { isAboutOneOf } from './subjects.ts';
import { lockRows, unfoldRows } from './unfold-case.ts';

/**
 * Takes away cases that are a single row each and older: on PostgreSQL whole days at once. Those that a legal hold
 * covers become the rows of a case and stay. The hashes of all of them stay in their batches.
 */
export async function pruneSingleRows(
  trx: Trx,
  kind: Kind,
  before: string,
): Promise<{ cases: number; contents: number; held: number }> {
  const held = await unfoldHeld(trx, kind, before);
  const { rows } = await sql<Record<'cases' | 'contents', number | string>>`select count(*) as cases,
    count(distinct subject) as contents from listing where packed is not null and opened_at < ${before}`.execute(trx);
  const batches = await sql<{ id: string }>`select id from batches where opened_at < ${before}
    and not exists (select 1 from record_leaves where record_leaves.record = batches.id
      and record_leaves.kind = 'rows-removed')`.execute(trx);
  if (kind === 'postgresql') for (const date of await listDaysBefore(trx, before)) await dropDay(trx, date);
  await sql`delete from listing where packed is not null and opened_at < ${before}`.execute(trx);
  await addLeaves(
    trx,
    kind,
    batches.rows.map(({ id }) => makeForgettingLeaf('rows-removed', id)),
  );
  return { cases: Number(rows[0]!.cases), contents: Number(rows[0]!.contents), held };
}

/** A hold covers every case about its content. */
async function unfoldHeld(trx: Trx, kind: Kind, before: string): Promise<number> {
  const rows = await lockRows(trx, kind)
    .where('listing.opened_at', '<', before)
    .where(isAboutOneOf(kind, heldSubjects(kind, new Date())))
    .execute();
  await unfoldRows(trx, kind, rows);
  return rows.length;
}
