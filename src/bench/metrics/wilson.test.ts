import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilsonInterval } from './wilson.ts';

test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])(
  'the Wilson interval of %i in %i is that of Newcombe’s table (Statistics in Medicine 17, 1998, method 3)',
  (count, total, low, high) => {
    expect(wilsonInterval(count, total)!.map((end) => end.toFixed(4))).toEqual([low.toFixed(4), high.toFixed(4)]);
  },
);

test('of 0 in 10 it ends at z² / (10 + z²), and of 5 in 10 it is even: by hand', () => {
  expect(wilsonInterval(0, 10)).toEqual([0, expect.closeTo(3.8414588206941236 / 13.8414588206941236, 9)]);
  const [low, high] = wilsonInterval(5, 10)!;
  expect(low + high).toBeCloseTo(1, 12);
  expect(high - low).toBeCloseTo(1.959963984540054 / Math.sqrt(10 + 3.8414588206941236), 9);
});

test('its ends are the shares from which the one that was seen is 1.96 standard errors away', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (total, some) => {
      const count = Math.min(some, total);
      for (const end of wilsonInterval(count, total)!) {
        if (end === 0 || end === 1) continue;
        expect(Math.abs(end - count / total) / Math.sqrt((end * (1 - end)) / total)).toBeCloseTo(1.959963984540054, 6);
      }
    }),
  );
});

test('nothing seen, nothing said', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});
