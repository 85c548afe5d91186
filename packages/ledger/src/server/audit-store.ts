import type { Selectable } from 'kysely';
import type { Database, Db } from '../database/database.ts';
import { makePage, readAll, readCursor } from '../database/pages.ts';
import { fromStored, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import type { Page } from '../cases/cases.ts';
import type { LedgerLine } from '../ledger.ts';
import { addLeaves, makeLeaf } from '../records/leaves.ts';
import type { Tables } from '../schema/tables.ts';

/** One thing that somebody did on a server, or was refused. */
export interface AuditEntry {
  /** In the order of time, whichever server wrote it. */
  id: string;
  at: Date;
  /** The name of a person, a reviewer or a key; null for whoever needs none, on the machine itself. */
  who: string | null;
  /** The id of their key, or of the person whom the OpenID provider knows. */
  key: string | null;
  /** `queue.decide`: an operation of the API. */
  operation: string;
  /** Of what: the ids in its path. */
  target: string | null;
  /** What was asked for, without any content, reason or secret. */
  what: Readonly<Record<string, unknown>>;
  /** Of the answer: 403 where somebody may not. */
  status: number;
  request: string;
}

export interface AuditFilter {
  who?: string;
  operation?: string;
  /** From this moment on. */
  from?: Date;
  /** Before this moment. */
  to?: Date;
}

/** Somebody who did something, and when last. */
export interface Actor {
  key: string;
  who: string | null;
  lastSeen: Date;
  /** How much of theirs is in the log. */
  entries: number;
  /** What was noted when they last signed in; null where they never did. */
  signIn: AuditEntry | null;
}

export interface AuditStore {
  keepEntries(entries: readonly AuditEntry[]): Promise<void>;
  /** The newest first. */
  listEntries(filter: AuditFilter, options: { limit: number; after?: string | null }): Promise<Page<AuditEntry>>;
  /** Who did something, the last one first; `signIns` are the operations by which somebody signs in. */
  listActors(options: { limit: number; signIns: readonly string[] }): Promise<readonly Actor[]>;
}

/** Rows of one statement; SQLite binds only so many values. */
const mostAtOnce = 500;

export function auditStore({ db, kind, write }: Database): AuditStore {
  return {
    async keepEntries(entries) {
      for (let start = 0; start < entries.length; start += mostAtOnce) {
        const rows = entries.slice(start, start + mostAtOnce).map(makeAuditRow);
        await write(async (trx) => {
          const inserted = await trx
            .insertInto('audit')
            .values(rows)
            .onConflict((conflict) => conflict.column('id').doNothing())
            .returning('id')
            .execute();
          const ids = new Set(inserted.map(({ id }) => id));
          const leaves = rows.filter(({ id }) => ids.has(id)).map((row) => makeLeaf('audit', row));
          await addLeaves(trx, kind, leaves);
        });
      }
    },
    async listEntries({ who, operation, from, to }, { limit, after = null }) {
      let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc');
      if (who !== undefined) query = query.where('who', '=', toStorable(who));
      if (operation !== undefined) query = query.where('operation', '=', toStorable(operation));
      if (from !== undefined) query = query.where('id', '>=', auditMoment(from));
      if (to !== undefined) query = query.where('id', '<', auditMoment(to));
      if (after !== null) query = query.where('id', '<', readCursor(after, 'the audit log')[1]);
      const rows = await query.limit(limit + 1).execute();
      return makePage(rows, limit, readEntry, ({ at, id }) => [at, id]);
    },
    async listActors({ limit, signIns }) {
      const seen = await db
        .selectFrom('audit')
        .select(({ fn }) => ['key', fn.max('id').as('last'), fn.countAll().as('entries')])
        .where('key', 'is not', null)
        .groupBy('key')
        .orderBy('last', 'desc')
        .limit(limit)
        .execute();
      const entered = await db
        .selectFrom('audit')
        .select(({ fn }) => ['key', fn.max('id').as('last')])
        .where('key', 'is not', null)
        .where('operation', 'in', signIns)
        .where('status', '<', 400)
        .groupBy('key')
        .execute();
      const wanted = new Map(entered.map(({ key, last }) => [key, last]));
      const ids = seen.flatMap(({ key, last }) => [last, wanted.get(key) ?? []].flat());
      const rows = ids.length === 0 ? [] : await db.selectFrom('audit').selectAll().where('id', 'in', ids).execute();
      const byId = new Map(rows.map((row) => [row.id, readEntry(row)]));
      return seen.map(({ key, last, entries }): Actor => {
        const { who, at } = byId.get(last)!;
        const signIn = byId.get(wanted.get(key) ?? '') ?? null;
        return { key: key!, who, lastSeen: at, entries: Number(entries), signIn };
      });
    },
  };
}

/** How the ids of what was done at a moment begin. */
export function auditMoment(at: Date): string {
  return at.toISOString().replaceAll(/[-:.]/g, '');
}

/** In an export: in the order of time. */
export async function* exportAudit(db: Db): AsyncGenerator<LedgerLine> {
  for await (const row of readAll(db.selectFrom('audit').selectAll(), ['id']))
    yield { kind: 'audit', version: row.version, ...readEntry(row), at: row.at } satisfies LedgerLine;
}

export function makeAuditRow({
  id,
  at,
  who,
  key,
  operation,
  target,
  what,
  status,
  request,
}: AuditEntry): Tables['audit'] {
  return {
    id,
    version: storedVersion,
    at: at.toISOString(),
    who: toStorable(who),
    key: toStorable(key),
    operation: toStorable(operation),
    target: toStorable(target),
    what: toStored(what),
    status,
    request: toStorable(request),
  };
}

export function readEntry({ version, at, what, ...row }: Selectable<Tables['audit']>): AuditEntry {
  return { ...row, at: new Date(at), what: fromStored('audit', version, what) };
}
