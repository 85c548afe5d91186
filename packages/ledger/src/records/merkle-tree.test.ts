import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appendLeaves,
  computeRoot,
  computeRootOf,
  emptyTree,
  hashLeaf,
  proveInclusion,
  verifyInclusion,
} from './merkle-tree.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/* The leaves and roots that the implementations of Certificate Transparency (RFC 6962) are tested with. */
const knownLeaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => hashLeaf(Buffer.from(text, 'hex')));
const knownRoots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const leavesOf = (most: number) =>
  fc
    .array(fc.uint8Array({ maxLength: 8 }), { minLength: 1, maxLength: most })
    .map((all) => all.map((data) => hashLeaf(data)));
const changed = (bytes: Uint8Array) => Uint8Array.from(bytes, (byte, index) => (index === 0 ? byte ^ 1 : byte));

describe('a Merkle tree', () => {
  test('has the roots that are known for RFC 6962', () => {
    expect(knownRoots.map((_, size) => hex(computeRootOf(knownLeaves.slice(0, size))))).toEqual(knownRoots);
  });

  test('has the known proofs of RFC 6962', () => {
    expect(proveInclusion(knownLeaves, 5).map(hex)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  test('comes to the same whether its leaves come at once or bit by bit', () => {
    fc.assert(
      fc.property(leavesOf(70), fc.nat(), (leaves, cut) => {
        const at = cut % (leaves.length + 1);
        const first = appendLeaves(emptyTree, leaves.slice(0, at));
        expect(hex(computeRoot(appendLeaves(first, leaves.slice(at))))).toBe(hex(computeRootOf(leaves)));
      }),
    );
  });

  test('proves of every leaf that it is in it, and of no changed one', () => {
    fc.assert(
      fc.property(leavesOf(40), fc.nat(), (leaves, at) => {
        const index = at % leaves.length;
        const root = computeRootOf(leaves);
        const proof = proveInclusion(leaves, index);
        const verify = (leaf: Uint8Array, steps = proof) => verifyInclusion(leaf, index, leaves.length, steps, root);
        expect(verify(leaves[index]!)).toBe(true);
        expect(verify(changed(leaves[index]!))).toBe(false);
        for (const step of proof.keys())
          expect(verify(leaves[index]!, proof.with(step, changed(proof[step]!)))).toBe(false);
        expect(verify(leaves[index]!, [...proof, root])).toBe(false);
      }),
    );
  });
});
