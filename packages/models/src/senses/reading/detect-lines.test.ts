import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRegions, fitBox } from './detect-lines.ts';

test('the smallest box around a turned rectangle is that rectangle', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 40, max: 90 }),
      fc.integer({ min: 8, max: 20 }),
      fc.double({ min: -1.4, max: 1.4, noNaN: true }),
      (width, height, angle) => {
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const corners = [-1, 1].flatMap((a) =>
          [-1, 1].map((b) => ({
            x: 200 + (a * width * cos - b * height * sin) / 2,
            y: 200 + (a * width * sin + b * height * cos) / 2,
          })),
        );
        const box = fitBox(corners);
        expect(box.width).toBeCloseTo(width + 1, 3);
        expect(box.height).toBeCloseTo(height + 1, 3);
        expect(Math.abs(Math.sin(box.angle - angle))).toBeLessThan(0.01);
      },
    ),
  );
});

test('regions are told apart, and grown to hold whole letters', () => {
  const [width, height] = [100, 60];
  const values = new Float32Array(width * height);
  for (const top of [10, 40])
    for (let y = top; y < top + 8; y += 1) for (let x = 20; x < 80; x += 1) values[y * width + x] = 0.9;
  const regions = findRegions({ values, width, height });
  expect(regions.map(({ box }) => Math.round(box.y))).toEqual([14, 44]);
  for (const { box } of regions) {
    expect(box.width).toBeGreaterThan(60);
    expect(box.height).toBeGreaterThan(8);
  }
});

test('faint and tiny regions are no text', () => {
  const values = new Float32Array(400).fill(0.2);
  values[210] = 0.9;
  expect(findRegions({ values, width: 20, height: 20 })).toEqual([]);
});
