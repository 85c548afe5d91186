import { hash, randomFillSync } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import { encodeHex } from '@agonhq/engine/container';
import { canonicalJson } from '@agonhq/engine/hash';
import type { Kind, Trx } from '../database/database.ts';
import { fixedQuery, oneOf } from '../database/fixed-query.ts';
import type { Tables } from '../schema/tables.ts';
import { hashLeaf } from './merkle-tree.ts';
import {
  forgettings,
  writeContent,
  readPlace,
  type ForgettingName,
  type RecordKindName,
  type RecordRow,
} from './record-kinds.ts';

/** The version of the leaves that are written today: their members, and the columns of each kind of record. */
export const leafVersion = 1;
const saltBytes = 16;
/** Rows of one statement. */
const mostAtOnce = 500;

export type NewLeaf = Omit<Insertable<Tables['record_leaves']>, 'id' | 'position'>;

/** The leaf of a record that is being written. */
export function makeLeaf<Name extends RecordKindName>(name: Name, row: RecordRow<Name>): NewLeaf {
  return makeLeafOf(name, readPlace(name, row), writeContent(name, row));
}

/** The same for a row that is taken away again by the person who wrote it. */
export function makeWithdrawnLeaf<Name extends RecordKindName>(name: Name, row: RecordRow<Name>): NewLeaf {
  return makeLeafOf(name, readPlace(name, row), null);
}

/** That something was taken away, or written in another form. */
export function makeForgettingLeaf(how: ForgettingName, record: string, part = ''): NewLeaf {
  return makeLeafOf(how, { record, part }, null);
}

function makeLeafOf(
  kind: Tables['record_leaves']['kind'],
  { record, part }: { record: string; part: string },
  content: string | null,
): NewLeaf {
  const salt = makeSalt();
  const written_at = new Date().toISOString();
  return {
    version: leafVersion,
    month: written_at.slice(0, 7),
    kind,
    record,
    part,
    salt,
    commitment: commitTo(salt, content),
    written_at,
  };
}

/** Says nothing of the content to whoever lacks the salt. */
export function commitTo(salt: Uint8Array, content: string | null): Uint8Array {
  return hash('sha256', Buffer.concat([salt, Buffer.from(content ?? 'null')]), 'buffer');
}

const pool = Buffer.alloc(256 * saltBytes);
let used = pool.length;

/** From a pool: each call for random bytes takes longer than a hash. */
function makeSalt(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const salt = Uint8Array.from(pool.subarray(used, used + saltBytes));
  pool.fill(0, used, (used += saltBytes));
  return salt;
}

/** Puts leaves beside the records that they are of, in their transaction. */
export async function addLeaves(trx: Trx, kind: Kind, leaves: readonly NewLeaf[]): Promise<void> {
  if (leaves.length === 1) await insertLeaf(trx, leaves[0]!);
  else if (leaves.length === 2) await insertPair(trx, nameValues(leaves));
  // A statement that is prepared takes SQLite a few microseconds; on a server each is a way there and back.
  else if (kind === 'sqlite') for (const leaf of leaves) await insertLeaf(trx, leaf);
  else
    for (let start = 0; start < leaves.length; start += mostAtOnce)
      await trx
        .insertInto('record_leaves')
        .values(leaves.slice(start, start + mostAtOnce))
        .execute();
}

const insertLeaf = fixedQuery((db, leaf: NewLeaf) => db.insertInto('record_leaves').values(leaf));

/** A case comes with its content: two at once take hardly longer than one. */
const insertPair = fixedQuery((db, values: Record<string, never>) =>
  db.insertInto('record_leaves').values([readValues(values, 0), readValues(values, 1)]),
);

const leafColumns = [
  'version',
  'month',
  'kind',
  'record',
  'part',
  'salt',
  'commitment',
  'written_at',
] as const satisfies readonly (keyof NewLeaf)[];

/** Of several leaves, the values by names that tell them apart. */
function nameValues(leaves: readonly NewLeaf[]): Record<string, never> {
  const values: Record<string, unknown> = {};
  for (const [index, leaf] of leaves.entries())
    for (const column of leafColumns) values[`${column}_${index}`] = leaf[column];
  return values as Record<string, never>;
}

function readValues(values: Record<string, never>, index: number): NewLeaf {
  return Object.fromEntries(leafColumns.map((column) => [column, values[`${column}_${index}`]])) as unknown as NewLeaf;
}

/**
 * Takes away the salts of what is forgotten, so that nothing leads from its leaves to what it was, and enters that it
 * was forgotten.
 */
export async function forgetRecords(
  trx: Trx,
  kind: Kind,
  how: ForgettingName,
  records: readonly string[],
): Promise<void> {
  for (let start = 0; start < records.length; start += mostAtOnce) {
    const some = records.slice(start, start + mostAtOnce);
    await trx
      .updateTable('record_leaves')
      .set({ salt: null })
      .where(oneOf(kind, 'record', some))
      .where('kind', 'in', forgettings[how])
      .where('salt', 'is not', null)
      .execute();
    await addLeaves(
      trx,
      kind,
      some.map((record) => makeForgettingLeaf(how, record)),
    );
  }
}

type HashedLeaf = Pick<
  Selectable<Tables['record_leaves']>,
  'version' | 'kind' | 'record' | 'part' | 'commitment' | 'written_at'
>;

/** A leaf as the tree has it: all but its salt, and its place, which the tree itself says. */
export interface DescribedLeaf {
  version: number;
  kind: string;
  record: string;
  part: string;
  writtenAt: string;
  /** In hexadecimal digits. */
  commitment: string;
}

export function describeLeaf({ version, kind, record, part, commitment, written_at }: HashedLeaf): DescribedLeaf {
  return { version, kind, record, part, writtenAt: written_at, commitment: encodeHex(commitment) };
}

export function hashDescribedLeaf(leaf: DescribedLeaf): Uint8Array {
  return hashLeaf(Buffer.from(canonicalJson(leaf)));
}

export function hashLeafRow(row: HashedLeaf): Uint8Array {
  return hashDescribedLeaf(describeLeaf(row));
}
