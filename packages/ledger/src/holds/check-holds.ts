import { sql, type RawBuilder, type Selectable } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import { findCompact } from '../compact/read-compact.ts';
import { isAbout, writeHash, writeSubject } from '../compact/subjects.ts';
import type { Db, Kind } from '../database/database.ts';
import type { Tables } from '../schema/tables.ts';

/* What holds cover. Contents are kept once for all cases about them: so a hold covers every case about its content. */

/** Neither lifted nor over. */
export function isInForce(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(legal_holds.lifted_at is null
    and (legal_holds.until is null or legal_holds.until > ${now.toISOString()}))`;
}

/** The contents that holds in force cover, as a subquery. */
export function heldSubjects(kind: Kind, now: Date): RawBuilder<string> {
  return sql<string>`(
    select held.subject from legal_holds join debates as held on held.id = legal_holds.case_id where ${isInForce(now)}
    union select held.subject from legal_holds join contexts on contexts.author = legal_holds.author
    join debates as held on held.id = contexts.debate where ${isInForce(now)}
    union select ${writeSubject(kind)} from legal_holds join listing on listing.author = legal_holds.author
    where listing.subject is not null and ${isInForce(now)})`;
}

/** Whether an item of a run that waits is of an author on hold; `run_items` is in reach. */
export function isHeldItem(kind: Kind, now: Date): RawBuilder<boolean> {
  const author =
    kind === 'sqlite'
      ? sql`json_extract(run_items.input, '$.context.author')`
      : sql`(cast(run_items.input as json) -> 'context' ->> 'author')`;
  return sql<boolean>`exists (select 1 from legal_holds where ${isInForce(now)} and legal_holds.author = ${author})`;
}

/**
 * Whether a hold covers a content: by a case about it, or by an author of such a case. A hold on a case unfolds it, so
 * that only authors have cases of a single row.
 */
function covers(subject: string): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select 1 from debates where debates.id = legal_holds.case_id and debates.subject = ${subject})
    or exists (select 1 from contexts join debates on debates.id = contexts.debate
      where contexts.author = legal_holds.author and debates.subject = ${subject})
    or exists (select 1 from listing where listing.author = legal_holds.author and ${isAbout(subject)}))`;
}

function findHolds(db: Db, which: RawBuilder<boolean>): Promise<Selectable<Tables['legal_holds']>[]> {
  return db
    .selectFrom('legal_holds')
    .selectAll()
    .where(isInForce(new Date()))
    .where(which)
    .orderBy('placed_at')
    .orderBy('id')
    .execute();
}

/** Holds in force that cover a content: by a case about it, by an author of such a case, or of an item that waits. */
export async function findHoldsOnSubject(
  db: Db,
  kind: Kind,
  subject: string,
): Promise<Selectable<Tables['legal_holds']>[]> {
  return findHolds(
    db,
    sql<boolean>`(${covers(subject)}
      or exists (select 1 from run_items where run_items.input is not null
        and (run_items.hash = ${subject} or (run_items.hash >= ${`${subject}+`} and run_items.hash < ${`${subject},`}))
        and ${isHeldItem(kind, new Date())}))`,
  );
}

export async function findHoldsOnCase(
  db: Db,
  kind: Kind,
  caseId: string,
): Promise<Selectable<Tables['legal_holds']>[]> {
  const [single] = await findCompact(db, kind, [caseId]);
  if (single) return findHoldsOnSubject(db, kind, writeHash(single.subject!));
  const debate = await db.selectFrom('debates').select('subject').where('id', '=', caseId).executeTakeFirst();
  return debate ? findHolds(db, covers(debate.subject)) : [];
}

/** Refuses to take away what a hold covers. */
export async function assertNotHeld(trx: Db, kind: Kind, subject: string): Promise<void> {
  const [hold] = await findHoldsOnSubject(trx, kind, subject);
  if (hold) throw makeHoldError(hold);
}

export function makeHoldError(hold: Selectable<Tables['legal_holds']>): AgonError {
  const { id, case_id, author, reason, placed_by, placed_at, until } = hold;
  const whom = author === null ? `on case ${case_id}` : `on the author ${author}`;
  const end = until === null ? '' : `, until ${until}`;
  return new AgonError(
    'legal-hold',
    `Nothing was deleted: ${id} holds it (${whom}, placed by ${placed_by} on ` +
      `${placed_at.slice(0, 10)}${end}: ${reason}).`,
    {
      library: 'Lift the hold first: ledger.holds.liftHold.',
      cli: `Once it is over, lift it: agon holds lift ${id} --why "…".`,
      api: `Once it is over, lift it: POST /api/holds/${id}/lift.`,
    },
  );
}
