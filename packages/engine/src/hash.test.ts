import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, hashOf } from './hash.ts';

it('canonical JSON is JSON with the keys of every object in order', () => {
  fc.assert(
    fc.property(fc.object({ withDate: true, withNullPrototype: true }), (value) => {
      const sorted = JSON.stringify(value, (_key, member: unknown) =>
        member !== null && typeof member === 'object' && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
          : member,
      );
      expect(canonicalJson(value)).toBe(sorted);
    }),
  );
});

it('the order of keys and members that are undefined do not change a hash, any other change does', () => {
  expect(hashOf({ a: [1, { b: 2, c: undefined }], d: 'x' })).toBe(hashOf({ d: 'x', a: [1, { b: 2 }] }));
  expect(hashOf({ a: [1, 2] })).not.toBe(hashOf({ a: [2, 1] }));
});
