import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import { readAll } from '../database/pages.ts';
import { storedVersion } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import type { LegalHold } from './holds.ts';

/* Holds stand in the audit log, which is guarded by leaves and travels with an export; their table is made from it. */

export const placeOperation = 'holds.place';
export const liftOperation = 'holds.lift';

const placed = z.object({
  case: z.string().optional(),
  author: z.string().optional(),
  reason: z.string(),
  until: z.iso.datetime().optional(),
});
const lifted = z.object({ why: z.string() });

type HoldEntry = Pick<Tables['audit'], 'at' | 'who' | 'operation' | 'target' | 'what' | 'status'>;

/** Whether a line of the audit log says something of a hold; refusals do not. */
function isHoldEntry({ operation, target, status }: HoldEntry): boolean {
  return status < 400 && target !== null && (operation === placeOperation || operation === liftOperation);
}

/** Makes of a hold what the audit log says, now that this line is in it. Whatever is no line about a hold is left. */
export async function applyHoldEntry(trx: Trx, entry: HoldEntry): Promise<void> {
  if (!isHoldEntry(entry)) return;
  const lines = await readEntries(trx).where('target', '=', entry.target).orderBy('id').execute();
  const hold = lines.reduce(foldEntry, undefined as Insertable<Tables['legal_holds']> | undefined);
  if (!hold) return;
  const { id, ...rest } = hold;
  await putRow(trx, 'legal_holds', { id }, rest);
}

/** What a hold comes to with one more line; the first that places it and the first that lifts it count. */
function foldEntry(
  before: Insertable<Tables['legal_holds']> | undefined,
  entry: HoldEntry,
): Insertable<Tables['legal_holds']> | undefined {
  if (!isHoldEntry(entry)) return before;
  const what: unknown = JSON.parse(entry.what);
  const by = entry.who ?? '';
  if (entry.operation === placeOperation) {
    const { data } = placed.safeParse(what);
    if (!data || before) return before;
    return {
      id: entry.target!,
      version: storedVersion,
      case_id: data.case ?? null,
      author: data.author ?? null,
      reason: data.reason,
      placed_by: by,
      placed_at: entry.at,
      until: data.until ?? null,
      lifted_at: null,
      lifted_by: null,
      lifted_why: null,
    };
  }
  const { data } = lifted.safeParse(what);
  if (!data || !before || before.lifted_at !== null) return before;
  return { ...before, lifted_at: entry.at, lifted_by: by, lifted_why: data.why };
}

function readEntries(db: Db) {
  return db.selectFrom('audit').selectAll().where('operation', 'in', [placeOperation, liftOperation]);
}

interface HoldProblem {
  what: 'altered' | 'removed' | 'added';
  record: string;
  message: string;
}

/** Where the table is not what the log comes to. */
export async function findHoldProblems(db: Db): Promise<HoldProblem[]> {
  const expected = new Map<string, Insertable<Tables['legal_holds']>>();
  for await (const entry of readAll(readEntries(db), ['id'])) {
    const after = foldEntry(expected.get(entry.target ?? ''), entry);
    if (after) expected.set(after.id, after);
  }
  const rows = await db.selectFrom('legal_holds').selectAll().execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return [...new Set([...expected.keys(), ...found.keys()])].toSorted().flatMap((id): HoldProblem[] => {
    const [ours, theirs] = [expected.get(id), found.get(id)];
    if (ours && theirs && isSame(ours, theirs)) return [];
    if (!theirs)
      return [
        { what: 'removed', record: id, message: `The hold ${id} is in the audit log, and is gone from the holds.` },
      ];
    return [
      ours
        ? { what: 'altered', record: id, message: `The hold ${id} is not as the audit log says.` }
        : { what: 'added', record: id, message: `The hold ${id} was never placed by Agon.` },
    ];
  });
}

function isSame(one: Insertable<Tables['legal_holds']>, other: Insertable<Tables['legal_holds']>): boolean {
  return (Object.keys(one) as (keyof Tables['legal_holds'])[]).every((name) => one[name] === other[name]);
}

export function readHold(row: Selectable<Tables['legal_holds']>): LegalHold {
  return {
    id: row.id,
    case: row.case_id,
    author: row.author,
    reason: row.reason,
    by: row.placed_by,
    at: new Date(row.placed_at),
    until: row.until === null ? null : new Date(row.until),
    lifted:
      row.lifted_at === null
        ? null
        : { by: row.lifted_by ?? '', at: new Date(row.lifted_at), why: row.lifted_why ?? '' },
  };
}
