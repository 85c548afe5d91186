import { encodeHex } from '@agonhq/engine/container';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import { hashLeafRow } from './leaves.ts';
import { appendLeaves, computeRoot, emptyTree, type MerkleTree } from './merkle-tree.ts';

/** So few that whoever writes does not notice: on SQLite nobody else does meanwhile. */
const atOnce = 1_000;
/** Between them others get their turn. */
const pauseMs = 5;

/** A tree as far as it is built. */
export interface TreeHead {
  month: string;
  size: number;
  root: string;
}

/**
 * Gives the leaves that wait their places in the trees; says how many. One process does so at a time, and nobody who
 * writes waits for it. What is committed meanwhile may be left for the next time.
 */
export async function sequenceLeaves({ kind, write }: Database): Promise<number> {
  for (let sequenced = 0; ; await pause(pauseMs)) {
    const some = await write((trx) => sequenceSome(trx, kind));
    sequenced += some;
    if (some < atOnce) return sequenced;
  }
}

async function sequenceSome(trx: Trx, kind: Kind): Promise<number> {
  await lockTrees(trx, kind);
  const leaves = await trx
    .selectFrom('record_leaves')
    .select(['id', 'version', 'month', 'kind', 'record', 'part', 'commitment', 'written_at'])
    .where('position', 'is', null)
    .orderBy('id')
    .limit(atOnce)
    // One whose salt is being taken away waits for the next time, and not we for it.
    .$if(kind === 'postgresql', (query) => query.forUpdate().skipLocked())
    .execute();
  const placed: [id: number, position: number][] = [];
  for (const [month, some] of Map.groupBy(leaves, (leaf) => leaf.month)) {
    const tree = await readTree(trx, month);
    for (const [index, { id }] of some.entries()) placed.push([id, tree.size + index]);
    await keepTree(trx, month, appendLeaves(tree, some.map(hashLeafRow)));
  }
  if (placed.length > 0) await keepPlaces(trx, kind, placed);
  return leaves.length;
}

/** Held to the end of the transaction. On SQLite whoever writes has the lock already. */
export async function lockTrees(trx: Trx, kind: Kind): Promise<void> {
  if (kind === 'postgresql')
    await trx.selectFrom('meta').select('value').where('key', '=', 'ledger').forUpdate().executeTakeFirst();
}

async function keepPlaces(trx: Trx, kind: Kind, placed: readonly [id: number, position: number][]): Promise<void> {
  const places =
    kind === 'sqlite'
      ? sql`select value ->> 0 as id, value ->> 1 as position from json_each(${JSON.stringify(placed)})`
      : sql`select * from unnest(cast(${placed.map(([id]) => id)} as bigint[]),
          cast(${placed.map(([, position]) => position)} as bigint[])) as pairs (id, position)`;
  await sql`update record_leaves set position = places.position from (${places}) as places
    where record_leaves.id = places.id`.execute(trx);
}

async function readTree(db: Db, month: string): Promise<MerkleTree> {
  const row = await db
    .selectFrom('record_trees')
    .select(['size', 'peaks'])
    .where('month', '=', month)
    .executeTakeFirst();
  return row ? parseTree(row) : emptyTree;
}

function parseTree({ size, peaks }: { size: number; peaks: string }): MerkleTree {
  return { size, peaks: (JSON.parse(peaks) as string[]).map((peak) => Buffer.from(peak, 'hex')) };
}

async function keepTree(trx: Trx, month: string, tree: MerkleTree): Promise<void> {
  const state = { size: tree.size, peaks: JSON.stringify(tree.peaks.map(encodeHex)) };
  await putRow(trx, 'record_trees', { month }, state);
}

/** In the order of their months. */
export async function readTreeHeads(db: Db): Promise<TreeHead[]> {
  const rows = await db.selectFrom('record_trees').selectAll().orderBy('month').execute();
  return rows.map(({ month, ...row }) => ({ month, size: row.size, root: encodeHex(computeRoot(parseTree(row))) }));
}
