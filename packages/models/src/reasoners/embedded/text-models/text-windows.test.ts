import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WindowReading } from '../runtime/index.ts';
import { guardHeads } from './heads.ts';
import { mergeWindows, splitWindows } from './text-windows.ts';

const heads = guardHeads.length;

describe('windows', () => {
  it('leave no piece out, overlap by 32 or more, and are all of one length that the model reads', () => {
    fc.assert(
      fc.property(fc.nat(5000), (pieces) => {
        const windows = splitWindows(pieces, 320);
        expect([windows[0]!.from, windows.at(-1)!.to]).toEqual([0, pieces]);
        for (const [index, { from, to }] of windows.entries()) {
          expect(to - from).toBeLessThanOrEqual(318);
          expect(to - from).toBe(windows[0]!.to);
          if (index > 0) expect(windows[index - 1]!.to - from).toBeGreaterThanOrEqual(32);
          if (index > 0) expect(from).toBeGreaterThan(windows[index - 1]!.from);
        }
      }),
    );
  });

  it('together tell each piece once, from a window in which it stands, and the highest logit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (count) => {
        const windows = splitWindows(count, 320);
        const places = Array.from({ length: count }, (_, index) => index * 2);
        const pieces = { ids: places, starts: places, ends: places.map((place) => place + 1) };
        // A piece's share is its own number, so that a wrong place shows.
        const readings = windows.map(({ from, to }, index): WindowReading => ({
          logits: new Float32Array(heads).fill(index),
          embedding: new Float32Array([index, 1]),
          shares: Float32Array.from({ length: (to - from + 2) * heads }, (_, at) => from + Math.floor(at / heads) - 1),
        }));
        const { tokens, logits, embedding, byWindow } = mergeWindows(pieces, windows, readings);
        expect([tokens.length, ...tokens.starts]).toEqual([count, ...places]);
        expect(Array.from(tokens.ends)).toEqual(places.map((place) => place + 1));
        expect(Array.from({ length: count }, (_, index) => tokens.shares[index * heads])).toEqual(
          places.map((place) => place / 2),
        );
        expect(tokens.shares).toHaveLength(count * heads);
        expect(new Set(tokens.windowTokens)).toEqual(new Set([windows[0]!.to + 2]));
        expect([logits.content, byWindow.length]).toEqual([windows.length - 1, windows.length]);
        expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
      }),
    );
  });
});
