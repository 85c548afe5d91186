import { encodeHex } from '@agonhq/engine/container';
import { keepContext } from '../cases/context-store.ts';
import { defaultQueue, never } from '../cases/listing.ts';
import type { Kind, Trx } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { addLeaves, makeForgettingLeaf, makeLeaf, type NewLeaf } from '../records/leaves.ts';
import { findBatch } from './batches.ts';
import { hashCompact, readCompact, selectCompact, type CompactRow } from './read-compact.ts';
import { isAbout } from './subjects.ts';

/**
 * Writes cases that are a single row each as the rows of a case, in the transaction of whoever is about to change them.
 * Others are left as they are.
 */
export async function unfoldCases(trx: Trx, kind: Kind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await unfoldRows(
    trx,
    kind,
    await lockRows(trx, kind)
      .where(oneOf(kind, 'listing.id', ids))
      .execute(),
  );
}

/** The same for those about a content. */
export async function unfoldCasesAbout(trx: Trx, kind: Kind, subject: string): Promise<void> {
  await unfoldEach(trx, kind, (rows) => rows.where(isAbout(subject)));
}

/** Some of those of an author; says whether there may be more. */
export async function unfoldSomeOf(trx: Trx, kind: Kind, author: string): Promise<boolean> {
  const rows = await lockRows(trx, kind).where('listing.author', '=', author).limit(atOnce).execute();
  await unfoldRows(trx, kind, rows);
  return rows.length === atOnce;
}

/** Those that were opened before a moment. */
export async function unfoldBefore(trx: Trx, kind: Kind, before: string): Promise<void> {
  await unfoldEach(trx, kind, (rows) => rows.where('listing.opened_at', '<', before));
}

const atOnce = 500;
type LockedRows = ReturnType<typeof lockRows>;

async function unfoldEach(trx: Trx, kind: Kind, which: (rows: LockedRows) => LockedRows): Promise<void> {
  const query = which(lockRows(trx, kind)).limit(atOnce);
  for (let rows; (rows = await query.execute()).length > 0;) await unfoldRows(trx, kind, rows);
}

/** Whoever comes second finds them unfolded. */
export function lockRows(trx: Trx, kind: Kind) {
  return selectCompact(trx).$if(kind === 'postgresql', (query) => query.forUpdate('listing'));
}

export async function unfoldRows(trx: Trx, kind: Kind, rows: readonly CompactRow[]): Promise<void> {
  const leaves: NewLeaf[] = [];
  // Whoever unfolds others about the same contents at the same moment takes them in the same order.
  for (const row of rows.toSorted((a, b) => Buffer.compare(a.subject!, b.subject!)))
    leaves.push(...(await unfoldRow(trx, row)));
  await addLeaves(trx, kind, leaves);
}

const noSingleRow = { setup: null, subject: null, packed: null, author: null, thread: null };

async function unfoldRow(trx: Trx, row: CompactRow): Promise<NewLeaf[]> {
  const { subject, debate, verdict, context } = readCompact(row);
  const hash = hashCompact(row);
  const found = await findBatch(trx, row.opened_at, hash);
  const { hash: key, opened_at: _, ...content } = subject;
  // A content that was forgotten is here again, as it was when the case was opened.
  const brought = await trx
    .insertInto('subjects')
    .values(subject)
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet(content).where('subjects.forgotten_at', 'is not', null),
    )
    .returning('hash')
    .execute();
  await trx.insertInto('debates').values(debate).execute();
  await trx.insertInto('verdicts').values(verdict).execute();
  if (context) await keepContext(trx, row.id, row.opened_at, context);
  await trx
    .updateTable('listing')
    .set({ ...noSingleRow, queue: defaultQueue, due_at: never })
    .where('opened_at', '=', row.opened_at)
    .where('id', '=', row.id)
    .execute();
  return [
    ...(brought.some((one) => one.hash === key) ? [makeLeaf('subject', subject)] : []),
    makeLeaf('case', debate),
    makeLeaf('answer', verdict),
    // One that is in no batch was put there by somebody else; the audit says so of its rows no more than before.
    ...(found ? [makeForgettingLeaf('row-unfolded', found.batch.id, encodeHex(hash))] : []),
  ];
}
