import fc from 'fast-check';
import { expect, it } from 'vitest';
import { similarityTo } from './similarity.ts';

it('a vector is held against each of the known ones, whatever their length', () => {
  const vectors = fc.integer({ min: 1, max: 23 }).chain((width) => {
    const vector = fc
      .array(fc.integer({ min: -99, max: 99 }), { minLength: width, maxLength: width })
      .map((values) => Float32Array.from(values));
    return fc.tuple(vector, fc.array(vector, { maxLength: 9 }));
  });
  fc.assert(
    fc.property(vectors, ([wanted, known]) => {
      const expected = known.map((vector) => vector.reduce((sum, value, index) => sum + value * wanted[index]!, 0));
      expect([...similarityTo(known)(wanted)]).toEqual(expected.map((value) => value + 0));
    }),
  );
});
