import { randomBytes } from 'node:crypto';
import { AgonError } from '@agonhq/engine/agon-error';
import { unknownCase } from '../cases/case-store.ts';
import { lockAttachments } from '../cases/attachments.ts';
import { unfoldCases } from '../compact/unfold-case.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { toStorable } from '../database/stored-json.ts';
import { addLeaves, makeLeaf } from '../records/leaves.ts';
import { auditMoment, makeAuditRow, type AuditEntry } from '../server/audit-store.ts';
import { findHoldsOnCase, isInForce } from './check-holds.ts';
import type { HoldActor, LegalHold, LegalHolds, NewHold } from './holds.ts';
import { applyHoldEntry, liftOperation, placeOperation, readHold } from './hold-log.ts';

export function holdStore({ db, kind, write }: Database): LegalHolds {
  return {
    placeHold: (hold, actor) => write((trx) => placeHold(trx, kind, hold, actor)),
    liftHold: (id, why, actor) => write((trx) => liftHold(trx, kind, id, why, actor)),
    async listHolds({ author, inForce = false } = {}) {
      const rows = await db
        .selectFrom('legal_holds')
        .selectAll()
        .$if(author !== undefined, (all) => all.where('author', '=', toStorable(author!)))
        .$if(inForce, (all) => all.where(isInForce(new Date())))
        .orderBy('placed_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(readHold);
    },
    async findHoldsOn(caseId) {
      return (await findHoldsOnCase(db, kind, caseId)).map(readHold);
    },
  };
}

async function placeHold(
  trx: Trx,
  kind: Kind,
  { case: about, author, reason, until = null }: NewHold,
  actor: HoldActor,
): Promise<LegalHold> {
  // Whoever forgets or prunes has this lock: a hold is there before they look, or after they have done.
  await lockAttachments(trx, kind);
  assertWhole({ case: about, author, reason, until });
  if (about !== undefined) {
    await unfoldCases(trx, kind, [about]);
    const found = await trx.selectFrom('debates').select('id').where('id', '=', about).executeTakeFirst();
    if (!found) throw unknownCase(about);
  }
  const id = `hold-${randomBytes(8).toString('hex')}`;
  const what = {
    ...(about === undefined ? { author } : { case: about }),
    reason: toStorable(reason.trim()),
    ...(until === null ? {} : { until: until.toISOString() }),
  };
  await enter(trx, kind, placeOperation, id, what, actor, { status: 201 });
  return findHold(trx, id);
}

function assertWhole({ case: about, author, reason, until }: NewHold): void {
  if ((about === undefined) === (author === undefined))
    throw badHold('A hold is on a case or on an author.', 'Name one of the two.');
  if (author?.trim() === '')
    throw badHold('The author is empty.', 'Name the author as the context of their items does.');
  if (reason.trim() === '') throw badHold('A hold needs a reason.', 'Say why nothing may be deleted.');
  if (until && until <= new Date()) throw badHold('The hold would have ended already.', 'Name a moment to come.');
}

function badHold(message: string, hint: string): AgonError {
  return new AgonError('bad-hold', message, hint);
}

async function liftHold(trx: Trx, kind: Kind, id: string, why: string, actor: HoldActor): Promise<LegalHold> {
  await lockAttachments(trx, kind);
  const found = await findHold(trx, id);
  if (found.lifted)
    throw new AgonError(
      'lifted-already',
      `The hold ${id} was lifted on ${found.lifted.at.toISOString()} by ${found.lifted.by}.`,
      'Nothing is to be done.',
    );
  if (why.trim() === '') throw badHold('Lifting a hold needs a reason.', 'Say why it is over.');
  // The log is read in the order of its ids: within a millisecond too, and where another server's clock was ahead, a
  // hold is placed before it is lifted.
  const at = new Date(Math.max(Date.now(), found.at.getTime()));
  await enter(trx, kind, liftOperation, id, { why: toStorable(why.trim()) }, actor, { status: 200, at });
  return findHold(trx, id);
}

/** The line of the audit log, its leaf, and what it comes to, in one transaction. */
async function enter(
  trx: Trx,
  kind: Kind,
  operation: string,
  target: string,
  what: Record<string, unknown>,
  { by, key = null, request = '' }: HoldActor,
  { status, at = new Date() }: { status: number; at?: Date },
): Promise<void> {
  const order = operation === liftOperation ? '000001' : '000000';
  const id = `${auditMoment(at)}-${order}-${randomBytes(4).toString('hex')}`;
  const entry: AuditEntry = { id, at, who: by, key, operation, target, what, status, request };
  const row = makeAuditRow(entry);
  await trx.insertInto('audit').values(row).execute();
  await addLeaves(trx, kind, [makeLeaf('audit', row)]);
  await applyHoldEntry(trx, row);
}

async function findHold(db: Db, id: string): Promise<LegalHold> {
  const row = await db.selectFrom('legal_holds').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row)
    throw new AgonError('unknown-hold', `There is no hold ${id}.`, {
      library: 'List the holds.',
      cli: '`agon holds list --all` lists them.',
      api: 'GET /api/holds lists them.',
    });
  return readHold(row);
}
