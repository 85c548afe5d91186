import { encodeHex } from '@agonhq/engine/container';
import type { Selectable } from 'kysely';
import type { Database, Db } from '../database/database.ts';
import type { Tables } from '../schema/tables.ts';
import { findRecords } from './find-records.ts';
import { commitTo, describeLeaf, hashLeafRow, type DescribedLeaf } from './leaves.ts';
import {
  appendLeaves,
  computeRoot,
  emptyTree,
  listSiblings,
  type MerkleTree,
  type SubtreeRange,
} from './merkle-tree.ts';
import { isForgetting, readPlace, writeContent } from './record-kinds.ts';
import type { TreeHead } from './sequence-leaves.ts';

/** That something was written: its leaf, and the way from it to the root of its tree. */
export interface ProvedLeaf {
  leaf: DescribedLeaf;
  month: string;
  /** Its place in the tree, from 0 on. */
  position: number;
  /** The hashes that lead to the root, the nearest first, in hexadecimal digits. */
  path: readonly string[];
  /** What the leaf commits to, where it still stands so; null where it was written over or forgotten. */
  opening: { salt: string; content: string } | null;
}

type Leaf = Selectable<Tables['record_leaves']>;

const atOnce = 1_000;

/** Leads from the leaves of some records to the roots of trees; leaves that these trees do not hold are left out. */
export async function proveRecords(
  { db, kind }: Database,
  records: readonly string[],
  heads: readonly TreeHead[],
): Promise<ProvedLeaf[]> {
  const sizes = new Map(heads.map(({ month, size }) => [month, size]));
  const leaves = (
    await db.selectFrom('record_leaves').selectAll().where('record', 'in', records).orderBy('id').execute()
  ).filter(({ month, position }) => position !== null && position < (sizes.get(month) ?? 0));
  const openings = await findOpenings({ db, kind }, leaves);
  const proved: ProvedLeaf[] = [];
  for (const [month, some] of Map.groupBy(leaves, (leaf) => leaf.month)) {
    const roots = await computeSubtrees(db, month, sizes.get(month)!, some);
    for (const leaf of some) {
      const path = listSiblings(leaf.position!, sizes.get(month)!).map((range) => roots.get(nameRange(range))!);
      const opening = openings.get(leaf.id) ?? null;
      proved.push({ leaf: describeLeaf(leaf), month, position: leaf.position!, path: path.map(encodeHex), opening });
    }
  }
  return proved;
}

const nameRange = ({ start, end }: SubtreeRange) => `${start}-${end}`;

/** The roots of all subtrees beside the ways, in one pass over the leaves. */
async function computeSubtrees(
  db: Db,
  month: string,
  size: number,
  leaves: readonly Leaf[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const trees = new Map<string, SubtreeRange & { tree: MerkleTree }>();
  for (const { position } of leaves)
    for (const range of listSiblings(position!, size)) trees.set(nameRange(range), { ...range, tree: emptyTree });
  for (let start = 0; start < size; start += atOnce) {
    const rows = await db
      .selectFrom('record_leaves')
      .selectAll()
      .where('month', '=', month)
      .where('position', '>=', start)
      .where('position', '<', Math.min(start + atOnce, size))
      .orderBy('position')
      .execute();
    const hashes = rows.map(hashLeafRow);
    for (const subtree of trees.values()) {
      const own = hashes.slice(Math.max(0, subtree.start - start), Math.max(0, subtree.end - start));
      if (own.length > 0) subtree.tree = appendLeaves(subtree.tree, own);
    }
  }
  return new Map([...trees].map(([name, { tree }]) => [name, computeRoot(tree)]));
}

/** By the id of the leaf: the salt, and the record as the leaf commits to it. */
async function findOpenings(
  { db, kind }: Pick<Database, 'db' | 'kind'>,
  leaves: readonly Leaf[],
): Promise<ReadonlyMap<number, { salt: string; content: string }>> {
  const found = new Map<number, { salt: string; content: string }>();
  for (const [name, some] of Map.groupBy(leaves, (leaf) => leaf.kind)) {
    if (isForgetting(name)) continue;
    const rows = await findRecords(db, kind, name, [...new Set(some.map(({ record }) => record))]);
    const contents = new Map(
      rows.map((row) => {
        const { record, part } = readPlace(name, row);
        return [JSON.stringify([record, part]), writeContent(name, row)];
      }),
    );
    for (const { id, record, part, salt, commitment } of some) {
      const content = contents.get(JSON.stringify([record, part]));
      if (salt === null || content === undefined) continue;
      if (Buffer.compare(commitTo(salt, content), commitment) === 0) found.set(id, { salt: encodeHex(salt), content });
    }
  }
  return found;
}
