import fc from 'fast-check';
import { expect, test } from 'vitest';
import { threadTime } from '@agonhq/test/support/thread-time.ts';
import { hashDistance, indexHashes, isFingerprintHash, mirrorHash } from './fingerprint.ts';

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));

test('a distance is the number of bits in which two hashes differ', () => {
  expect(hashDistance('0'.repeat(64), 'f'.repeat(64))).toBe(256);
  expect(hashDistance('0'.repeat(64), `${'0'.repeat(63)}7`)).toBe(3);
  fc.assert(
    fc.property(hash, hash, (one, other) => {
      const bits = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
      expect(hashDistance(one, other)).toBe(bits.toString(2).replaceAll('0', '').length);
    }),
  );
});

test('mirrored twice it is what it was', () => {
  fc.assert(
    fc.property(hash, (one) => {
      expect(isFingerprintHash(mirrorHash(one))).toBe(true);
      expect(mirrorHash(mirrorHash(one))).toBe(one);
      expect(hashDistance(one, mirrorHash(one))).toBe(128);
    }),
  );
});

test('an index finds what a look at each would find, the nearest first', () => {
  fc.assert(
    fc.property(fc.array(hash), hash, fc.integer({ min: 0, max: 256 }), (known, wanted, most) => {
      const near = indexHashes(known)(wanted, most);
      expect(near.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
        known.flatMap((one, index) => (hashDistance(one, wanted) <= most ? [index] : [])),
      );
      for (const { index, distance } of near) expect(distance).toBe(hashDistance(known[index]!, wanted));
      expect(near).toEqual(near.toSorted((a, b) => a.distance - b.distance));
    }),
  );
});

test('a hundred thousand hashes are searched in a moment', () => {
  const known = Array.from({ length: 100_000 }, (_, index) =>
    (index * 2654435761).toString(16).padStart(64, 'a').slice(-64),
  );
  const search = indexHashes(known);
  const took = threadTime(() => expect(search(known[77_777]!, 0)).toEqual([{ index: 77_777, distance: 0 }]));
  expect(took).toBeLessThan(500);
});
