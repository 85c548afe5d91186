import { sql } from 'kysely';
import { lockAttachments } from '../cases/attachments.ts';
import { forgetCases, forgetContent, forgetSubject, forgottenItem } from '../cases/forget-subject.ts';
import { isAbout } from '../compact/subjects.ts';
import { unfoldSomeOf } from '../compact/unfold-case.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { assertNotHeld, isInForce, makeHoldError } from '../holds/check-holds.ts';
import { dropInputs } from '../runs/item-outcomes.ts';
import {
  isOfAuthor,
  planForgetting,
  selectBrought,
  selectOwnSubjects,
  type ForgottenAuthor,
} from './plan-forgetting.ts';

/** Others have their turn in between. */
const subjectsAtOnce = 20;

/** Forgets all that is on record of an author; of what others brought too, only the author's own cases. */
export async function forgetAuthor(database: Database, author: string): Promise<ForgottenAuthor> {
  const { db, kind, write } = database;
  const plan = await planForgetting(db, kind, author);
  const forgotten = { ...plan, subjects: 0, cases: 0, items: 0 };
  await assertFree(db, kind, author);
  for (let more = true; more;)
    more = await write(async (trx) => {
      // Cases of a single row are forgotten as others are.
      if (await unfoldSomeOf(trx, kind, author)) return true;
      const subjects = await listSubjects(trx, author);
      for (const { subject } of subjects) forgotten.cases += await forgetCopy(trx, kind, author, subject);
      forgotten.subjects += subjects.length;
      if (subjects.length === subjectsAtOnce) return true;
      forgotten.items += await dropInputs(trx, kind, forgottenItem, () => isOfAuthor(kind, author));
      return false;
    });
  await database.scrub();
  return forgotten;
}

/** Some contents of an author that are not forgotten. */
function listSubjects(db: Db, author: string) {
  return db
    .selectFrom('contexts')
    .innerJoin('debates', 'debates.id', 'contexts.debate')
    .select('debates.subject')
    .distinct()
    .where('contexts.author', '=', author)
    .where('debates.forgotten_at', 'is', null)
    .orderBy('debates.subject')
    .limit(subjectsAtOnce)
    .execute();
}

/** What an author has of a content: all of it, unless another author brought the same. */
async function forgetCopy(trx: Trx, kind: Kind, author: string, subject: string): Promise<number> {
  if (!(await hasOthers(trx, author, subject))) return forgetSubject(trx, kind, subject);
  // Whoever places a hold has this lock: it is there by now, or comes when this is done.
  await lockAttachments(trx, kind);
  await assertNotHeld(trx, kind, subject);
  const brought = selectBrought(author);
  const own = await trx
    .selectFrom('debates')
    .select('id')
    .where('subject', '=', subject)
    .where('forgotten_at', 'is', null)
    .where(({ or, eb }) => or([eb('id', 'in', brought), eb('again_of', 'in', brought)]))
    .execute();
  const cases = await forgetCases(
    trx,
    kind,
    own.map(({ id }) => id),
  );
  // Those of others may all be single rows, which have a copy of their own.
  const left = await trx
    .selectFrom('debates')
    .select('id')
    .where('subject', '=', subject)
    .where('forgotten_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!left) await forgetContent(trx, kind, subject);
  return cases;
}

/** Whether another author has a case about a content. */
async function hasOthers(trx: Trx, author: string, subject: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from debates join contexts on contexts.debate = debates.id
      where debates.subject = ${subject} and debates.forgotten_at is null and contexts.author <> ${author})
    or exists (select 1 from listing where ${isAbout(subject)} and author <> ${author})`.execute(trx);
  return rows.length > 0;
}

/** Before anything is taken away: neither the author nor one of their contents is held. */
async function assertFree(db: Db, kind: Kind, author: string): Promise<void> {
  const own = await db
    .selectFrom('legal_holds')
    .selectAll()
    .where('author', '=', author)
    .where(isInForce(new Date()))
    .executeTakeFirst();
  if (own) throw makeHoldError(own);
  const { rows } = await sql<{
    subject: string;
  }>`select subject from ${selectOwnSubjects(kind, author)} as own`.execute(db);
  for (const { subject } of rows) await assertNotHeld(db, kind, subject);
}
