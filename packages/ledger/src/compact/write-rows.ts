import { sql } from 'kysely';
import { defaultQueue, never } from '../cases/listing.ts';
import type { Kind, Trx } from '../database/database.ts';
import { fixedQuery, oneOf } from '../database/fixed-query.ts';
import { writeArray } from '../postgres/array-text.ts';
import { copyRows } from '../postgres/copy-rows.ts';
import { listingTables } from '../schema/listing-schema.ts';
import { listColumns, type ColumnWord } from '../schema/table.ts';
import type { Tables } from '../schema/tables.ts';

/* Rows of cases that are one row each, many in one statement: on a server each is a way there and back. */

type CompactListing = Omit<
  Tables['listing'],
  'decided' | 'shadow' | 'stage' | 'queue' | 'due_at' | 'sampled' | 'assigned'
>;

/** It waits in no queue; on a server, where rows are many, nothing says so. */
const same = { decided: 0, shadow: 0, sampled: 0 };
const sameOnServer = { ...same, queue: null, due_at: null };

/** By the words for their types; nothing is said of `stage` and `assigned`. */
const columns = Object.fromEntries(
  listColumns(listingTables.listing).filter(([name]) => name !== 'stage' && name !== 'assigned'),
) as Record<keyof CompactListing | keyof typeof sameOnServer, ColumnWord>;

const insertOne = fixedQuery((db, row: CompactListing) =>
  db
    .insertInto('listing')
    .values({ ...row, ...same, queue: defaultQueue, due_at: never, stage: null, assigned: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Says which of them were not there; on a server all of them are new, or none is written. */
export async function insertRows(trx: Trx, kind: Kind, rows: readonly CompactListing[]): Promise<Set<string>> {
  const ids = new Set<string>();
  if (kind === 'postgresql') {
    const ordered = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await copyRows(trx, 'listing', columns, ordered, sameOnServer);
    for (const { id } of ordered) ids.add(id);
  } else for (const row of rows) for (const { id } of (await insertOne(trx, row)).rows) ids.add(id);
  return ids;
}

/** Cases that are there already, in whatever form. */
export async function findPresent(trx: Trx, kind: Kind, ids: readonly string[]): Promise<Set<string>> {
  const isOne = kind === 'sqlite' ? oneOf(kind, 'id', ids) : sql<boolean>`id = any(cast(${writeArray(ids)} as text[]))`;
  const { rows } = await sql<{ id: string }>`
    select id from debates where ${isOne} union select id from listing where ${isOne}`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
