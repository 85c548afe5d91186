import { hash } from 'node:crypto';

/* The Merkle tree of RFC 9162 (and RFC 6962 before it): a leaf and a node can never be taken for one another. */

/**
 * A tree that can be added to: what its leaves come to so far, as the roots of its full subtrees, the largest first.
 */
export interface MerkleTree {
  size: number;
  peaks: readonly Uint8Array[];
}

export const emptyTree: MerkleTree = { size: 0, peaks: [] };

const leafMark = Uint8Array.of(0);
const nodeMark = Uint8Array.of(1);

export function hashLeaf(data: Uint8Array): Uint8Array {
  return digest([leafMark, data]);
}

function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return digest([nodeMark, left, right]);
}

function digest(parts: readonly Uint8Array[]): Uint8Array {
  return hash('sha256', Buffer.concat(parts), 'buffer');
}

/** The tree with more leaves behind those that it has; each takes a few hashes, however many there are. */
export function appendLeaves(tree: MerkleTree, leafHashes: Iterable<Uint8Array>): MerkleTree {
  const peaks = [...tree.peaks];
  let { size } = tree;
  for (const leaf of leafHashes) {
    let root = leaf;
    // As many subtrees are completed as the number of leaves ends in ones.
    for (let rest = size; rest % 2 === 1; rest = Math.floor(rest / 2)) root = hashNode(peaks.pop()!, root);
    peaks.push(root);
    size += 1;
  }
  return { size, peaks };
}

export function computeRoot({ peaks }: MerkleTree): Uint8Array {
  if (peaks.length === 0) return digest([]);
  return peaks.reduceRight((right, left) => hashNode(left, right));
}

export function computeRootOf(leafHashes: Iterable<Uint8Array>): Uint8Array {
  return computeRoot(appendLeaves(emptyTree, leafHashes));
}

/** The hashes that lead from a leaf to the root, the nearest first. */
export function proveInclusion(leafHashes: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leafHashes.length <= 1) return [];
  const half = splitAt(leafHashes.length);
  const [left, right] = [leafHashes.slice(0, half), leafHashes.slice(half)];
  return index < half
    ? [...proveInclusion(left, index), computeRootOf(right)]
    : [...proveInclusion(right, index - half), computeRootOf(left)];
}

/** A part of a tree: its leaves from `start` up to, and without, `end`. */
export interface SubtreeRange {
  start: number;
  end: number;
}

/** The subtrees whose roots lead from a leaf to the root, the nearest first: what `proveInclusion` hashes. */
export function listSiblings(index: number, end: number, start = 0): SubtreeRange[] {
  if (end - start <= 1) return [];
  const middle = start + splitAt(end - start);
  return index < middle
    ? [...listSiblings(index, middle, start), { start: middle, end }]
    : [...listSiblings(index, end, middle), { start, end: middle }];
}

/** Whether a leaf is at this place of the tree with this root (RFC 9162, 2.1.3.2). */
export function verifyInclusion(
  leafHash: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (index < 0 || index >= size) return false;
  let [place, last, found] = [index, size - 1, leafHash];
  for (const hashed of proof) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      found = hashNode(hashed, found);
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else found = hashNode(found, hashed);
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 && Buffer.compare(found, root) === 0;
}

/** The largest power of two that is smaller. */
function splitAt(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}
