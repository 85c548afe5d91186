import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonStretches, rectangleOverlap, stretchF1 } from './overlap.ts';

const at = (start: number, end: number, key = 'text') => ({ key, start, end });
const box = (x: number, y: number, width: number, height: number, key = 'image') => ({ key, x, y, width, height });

test('F1 by characters is twice what both marked over what each marked, and 1 for the same marks', () => {
  expect(stretchF1([at(0, 10)], [at(5, 15)])).toBe(0.5);
  expect(stretchF1([at(0, 4), at(2, 10)], [at(0, 10)])).toBe(1);
  expect(stretchF1([at(0, 10)], [at(0, 10, 'response')])).toBe(0);
  expect([stretchF1([], []), stretchF1([at(0, 3)], [])]).toEqual([null, 0]);
});

test('rectangles overlap by intersection over union, also where one person drew several', () => {
  expect(rectangleOverlap([box(0, 0, 0.5, 0.5)], [box(0.25, 0, 0.5, 0.5)])).toBeCloseTo(1 / 3, 12);
  expect(rectangleOverlap([box(0, 0, 0.5, 1), box(0.25, 0, 0.5, 1)], [box(0, 0, 0.75, 1)])).toBeCloseTo(1, 12);
  expect(rectangleOverlap([box(0, 0, 0.1, 0.1)], [box(0.5, 0.5, 0.1, 0.1)])).toBeCloseTo(0, 12);
  expect(rectangleOverlap([], [])).toBeNull();
});

test('what most marked is where more than half are', () => {
  expect(commonStretches([[at(0, 10)], [at(4, 12)], [at(8, 20)]], 2)).toEqual([{ start: 4, end: 12 }]);
  expect(commonStretches([[at(0, 3), at(2, 6)], [at(9, 10)]], 2)).toEqual([]);
});

test('overlap does not ask who marked first, and what is the same is 1', () => {
  const stretch = fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }))
    .map(([start, length]) => at(start, start + length));
  const rectangle = fc.tuple(fc.nat(9), fc.nat(9), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(fc.array(stretch), fc.array(stretch), (one, other) => {
      expect(stretchF1(one, other)).toBe(stretchF1(other, one));
      if (one.length > 0) expect(stretchF1(one, one)).toBe(1);
    }),
  );
  fc.assert(
    fc.property(fc.array(rectangle, { minLength: 1 }), fc.array(rectangle), (one, other) => {
      const [first, second] = [one, other].map((all) => all.map(([x, y, w, h]) => box(x / 20, y / 20, w / 20, h / 20)));
      expect(rectangleOverlap(first!, second!)).toBeCloseTo(rectangleOverlap(second!, first!)!, 9);
      expect(rectangleOverlap(first!, first!)).toBeCloseTo(1, 9);
    }),
  );
});
