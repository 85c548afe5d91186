import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchangeWindows, mergeExchangeWindows } from './exchange-windows.ts';
import { guardHeads } from './heads.ts';

const marks = { start: 101, separator: 102 };
const numbers = (length: number, from = 1000) => Array.from({ length }, (_, index) => from + index);

describe('the windows of an exchange', () => {
  it('hold every piece of the response, with the prompt before it, and are never longer than the model reads', () => {
    fc.assert(
      fc.property(fc.nat(700), fc.nat(3000), (asked, said) => {
        const response = numbers(said);
        const windows = exchangeWindows(numbers(asked, 1), response, 512, marks);
        const seen = new Set(windows.flatMap(({ from, to }) => response.slice(from, to)));
        expect(seen.size).toBe(said);
        for (const { ids, responseFrom, from, to } of windows) {
          expect(ids.length).toBeLessThanOrEqual(512);
          expect(ids.slice(responseFrom, -1)).toEqual(response.slice(from, to));
          expect([ids[0], ids[responseFrom - 1], ids.at(-1)]).toEqual([101, 102, 102]);
        }
      }),
    );
  });

  it('show of a long prompt the beginning and the end', () => {
    const [window] = exchangeWindows(numbers(500, 1), [9999], 512, marks);
    expect(window!.ids.slice(1, window!.responseFrom - 1)).toEqual([...numbers(60, 1), ...numbers(40, 461)]);
  });

  it('together tell each piece of the response once, at its own place', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.integer({ min: 1, max: 2000 }), (asked, said) => {
        const windows = exchangeWindows(numbers(asked, 1), numbers(said), 512, marks);
        const places = numbers(said, 0).map((index) => index * 3);
        const pieces = { ids: numbers(said), starts: places, ends: places.map((place) => place + 2) };
        // A piece's share is its own number, so that a wrong place shows.
        const readings = windows.map(({ ids, responseFrom, from }, index) => ({
          logits: new Float32Array(guardHeads.length).fill(index),
          embedding: new Float32Array(),
          shares: Float32Array.from(
            { length: ids.length * guardHeads.length },
            (_, at) => from + Math.floor(at / guardHeads.length) - responseFrom,
          ),
        }));
        const { tokens, logits, byWindow } = mergeExchangeWindows(pieces, windows, readings);
        expect([tokens.length, ...tokens.starts]).toEqual([said, ...places]);
        expect(numbers(said, 0).map((index) => tokens.shares[index * guardHeads.length])).toEqual(numbers(said, 0));
        expect(tokens.windowTokens[0]).toBe(windows[0]!.to + 1);
        expect([logits.reply, byWindow.length]).toEqual([windows.length - 1, windows.length]);
      }),
    );
  });
});
