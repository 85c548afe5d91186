import { sql } from 'kysely';
import type { Kind, Trx } from '../database/database.ts';
import { heldSubjects } from '../holds/check-holds.ts';
import { dropDay, listDaysBefore } from '../postgres/partitions.ts';
import { addLeaves, makeForgettingLeaf } from '../records/leaves.ts';
import { dayOf } from './compact-row.ts';
import { readReferenceKey } from './text-references.ts';
import { lockRows, unfoldRows } from './unfold-case.ts';

/**
 * Takes away cases that are a single row each and older: on PostgreSQL whole days at once. Those that a legal hold
 * covers become the rows of a case and stay. The hashes of all of them stay in their batches.
 */
export async function pruneSingleRows(
  trx: Trx,
  kind: Kind,
  before: string,
): Promise<{ cases: number; texts: number; held: number }> {
  const held = await unfoldHeld(trx, kind, before);
  const cases = await countRows(trx, sql`listing where packed is not null and opened_at < ${before}`);
  const texts = await countRows(trx, sql`texts where day < ${dayOf(before)}`);
  const batches = await sql<{ id: string }>`select id from batches where opened_at < ${before}
    and not exists (select 1 from record_leaves where record_leaves.record = batches.id
      and record_leaves.kind = 'rows-removed')`.execute(trx);
  if (kind === 'postgresql') for (const date of await listDaysBefore(trx, before)) await dropDay(trx, date);
  await sql`delete from listing where packed is not null and opened_at < ${before}`.execute(trx);
  await sql`delete from texts where day < ${dayOf(before)}`.execute(trx);
  await sql`delete from text_cases where day < ${dayOf(before)}`.execute(trx);
  const rest = await dropUnusedTexts(trx, before);
  await addLeaves(
    trx,
    kind,
    batches.rows.map(({ id }) => makeForgettingLeaf('rows-removed', id)),
  );
  return { cases, texts: texts + rest, held };
}

/** A hold covers every case about its content. */
async function unfoldHeld(trx: Trx, kind: Kind, before: string): Promise<number> {
  const bytes = kind === 'sqlite' ? sql`unhex(substr(held.subject, 8))` : sql`decode(substr(held.subject, 8), 'hex')`;
  const rows = await lockRows(trx, kind)
    .where('listing.opened_at', '<', before)
    .where(
      sql<boolean>`${readReferenceKey(sql`listing.subject`)} in (select ${readReferenceKey(bytes)}
        from ${heldSubjects(kind, new Date())} as held where held.subject like 'sha256:%')`,
    )
    .execute();
  await unfoldRows(trx, kind, rows);
  return rows.length;
}

/** Of the day that the moment is in: texts of cases that went, and what referred to them. */
async function dropUnusedTexts(trx: Trx, before: string): Promise<number> {
  await sql`delete from text_cases where day = ${dayOf(before)} and not exists (
    select 1 from listing where listing.id = text_cases.id and listing.opened_at >= ${before})`.execute(trx);
  const { numAffectedRows } = await sql`delete from texts where day = ${dayOf(before)} and not exists (
    select 1 from listing where ${readReferenceKey(sql`listing.subject`)} = ${readReferenceKey(sql`texts.hash`)}
      and listing.opened_at >= ${before})`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

async function countRows(trx: Trx, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${from}`.execute(trx);
  return Number(rows[0]!.count);
}
