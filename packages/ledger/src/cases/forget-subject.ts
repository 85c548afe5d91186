import type { KeptPrecedent } from '@agonhq/models/precedents';
import { forgetAnnotationItems } from '../annotation/forget-items.ts';
import { unfoldCasesAbout } from '../compact/unfold-case.ts';
import type { Kind, Trx } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { fromStored } from '../database/stored-json.ts';
import { assertNotHeld } from '../holds/check-holds.ts';
import { dropCalls, lockCalls } from '../calls/call-store.ts';
import { replacePrecedents } from '../precedents/precedent-store.ts';
import { addLeaves, forgetRecords, makeLeaf, type NewLeaf } from '../records/leaves.ts';
import { dropInputs } from '../runs/item-outcomes.ts';
import { deleteUnusedAttachments, lockAttachments } from './attachments.ts';
import { clearListedWords } from './listing.ts';

export const forgottenItem = {
  code: 'forgotten',
  message: 'Its content was forgotten before it was judged.',
  hint: 'Bring it again to have it judged.',
};

/**
 * Takes away a subject's content, what was said about it and what was learnt from it; says how many debates it
 * concerned. Refused where a legal hold covers it.
 */
export async function forgetSubject(trx: Trx, kind: Kind, subject: string): Promise<number> {
  await lockAttachments(trx, kind);
  await assertNotHeld(trx, kind, subject);
  await unfoldCasesAbout(trx, kind, subject);
  await forgetAnnotationItems(trx, kind, subject);
  const debates = await forgetContent(trx, kind, subject);
  await forgetInputs(trx, kind, subject);
  await deleteUnusedAttachments(trx);
  await blankPrecedents(trx, kind, subject);
  // What was said of its claims repeats them, and is remembered by them alone.
  const cases = trx.selectFrom('debates').select('id').where('subject', '=', subject);
  const gone = await trx.deleteFrom('corrections').where('case_id', 'in', cases).returning('case_id').execute();
  await forgetRecords(trx, kind, 'corrections-forgotten', [...new Set(gone.map(({ case_id }) => case_id))]);
  return debates;
}

/**
 * The same without what was learnt: precedents have a life of their own. Images to which nothing refers any more are
 * left to the caller.
 */
export async function forgetContent(trx: Trx, kind: Kind, subject: string): Promise<number> {
  const forgotten_at = new Date().toISOString();
  await lockAttachments(trx, kind);
  await lockCalls(trx, kind, 'alone');
  const contents = await trx
    .updateTable('subjects')
    .set({ content: null, excerpt: null, search: null, forgotten_at })
    .where('hash', '=', subject)
    .where('forgotten_at', 'is', null)
    .returning(['hash', 'version', 'content'])
    .execute();
  // What is left is on record as it is left.
  const left: NewLeaf[] = contents.map((row) => makeLeaf('subject', row));
  const debates = await trx
    .updateTable('debates')
    .set({ forgotten_at })
    .where('subject', '=', subject)
    .where('forgotten_at', 'is', null)
    .returning(['id', 'opened_at'])
    .execute();
  left.push(...(await forgetSaid(trx, kind, debates, forgotten_at)));
  await forgetRecords(trx, kind, 'contents-forgotten', [
    ...contents.map(({ hash }) => hash),
    ...debates.map(({ id }) => id),
  ]);
  await addLeaves(trx, kind, left);
  const images = trx.selectFrom('subject_attachments').select('attachment').where('subject', '=', subject);
  await trx
    .updateTable('attachments')
    .set({ kept_at: null })
    .where('kept_at', 'is not', null)
    .where('hash', 'in', images)
    .execute();
  await trx.deleteFrom('subject_attachments').where('subject', '=', subject).execute();
  return debates.length;
}

/**
 * Forgets some of the cases about a content that others have cases about too: what was said in these, and who brought
 * it. The content stays for the others, and so does what was learnt from it.
 */
export async function forgetCases(trx: Trx, kind: Kind, ids: readonly string[]): Promise<number> {
  const forgotten_at = new Date().toISOString();
  await lockCalls(trx, kind, 'alone');
  const debates = await trx
    .updateTable('debates')
    .set({ forgotten_at })
    .where(oneOf(kind, 'id', ids))
    .where('forgotten_at', 'is', null)
    .returning(['id', 'opened_at'])
    .execute();
  const left = await forgetSaid(trx, kind, debates, forgotten_at);
  const found = debates.map(({ id }) => id);
  await forgetRecords(trx, kind, 'contents-forgotten', found);
  await addLeaves(trx, kind, left);
  const gone = await trx
    .deleteFrom('corrections')
    .where(oneOf(kind, 'case_id', found))
    .returning('case_id')
    .execute();
  await forgetRecords(trx, kind, 'corrections-forgotten', [...new Set(gone.map(({ case_id }) => case_id))]);
  return debates.length;
}

/** Takes away what was said in cases; gives the leaves of what is left of them. */
async function forgetSaid(
  trx: Trx,
  kind: Kind,
  debates: readonly { id: string; opened_at: string }[],
  forgotten_at: string,
): Promise<NewLeaf[]> {
  const left: NewLeaf[] = [];
  for (const { id, opened_at } of debates) {
    await clearListedWords(trx, { opened_at, id });
    await trx.deleteFrom('entries').where('debate', '=', id).execute();
    await dropCalls(trx, kind, id);
    await trx.deleteFrom('pictures').where('debate', '=', id).execute();
    await trx.deleteFrom('contexts').where('debate', '=', id).execute();
    await trx.deleteFrom('finding_edits').where('case_id', '=', id).execute();
    const closed = await trx
      .updateTable('verdicts')
      .set({ answer: null })
      .where('debate', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (closed) left.push(makeLeaf('answer', closed));
    // What models answered while it was debated may quote it. The cache does not say what it is about; its time does.
    await trx
      .deleteFrom('cache')
      .where('kept_at', '>=', opened_at)
      .where('kept_at', '<=', closed?.closed_at ?? forgotten_at)
      .execute();
  }
  return left;
}

/** Items of runs with this content that were not judged yet: whoever has one in hand loses it. */
async function forgetInputs(trx: Trx, kind: Kind, subject: string): Promise<void> {
  // Items with a context have a hash that begins like it.
  await dropInputs(trx, kind, forgottenItem, (items) =>
    items.or([
      items('hash', '=', subject),
      items.and([items('hash', '>=', `${subject}+`), items('hash', '<', `${subject},`)]),
    ]),
  );
}

async function blankPrecedents(trx: Trx, kind: Kind, subject: string): Promise<void> {
  const rows = await trx
    .selectFrom('precedents')
    .select(['version', 'precedent'])
    .where('subject', '=', subject)
    .execute();
  const words = '(forgotten)';
  const precedents = rows
    .map(({ version, precedent }) => fromStored('precedent', version, precedent))
    .filter(({ text }) => text !== words);
  const blank = precedents.map((precedent): KeptPrecedent => ({
    ...precedent,
    summary: words,
    why: words,
    text: words,
    cues: [],
    pictures: [],
    state: 'retired',
    overruledBy: 'what it was learnt from was forgotten',
  }));
  const ids = precedents.map(({ id }) => id);
  await forgetRecords(trx, kind, 'precedent-forgotten', ids);
  await replacePrecedents(trx, kind, blank);
}
