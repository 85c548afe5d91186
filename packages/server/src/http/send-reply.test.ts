import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readByteRange } from './send-reply.ts';

const asked = (range: string, headers: Record<string, string> = {}) =>
  readByteRange({ headers: new Headers({ range, ...headers }) }, 100);

describe('a range of bytes', () => {
  test('is from the first to the last that are named, both included', () => {
    expect(asked('bytes=0-9')).toEqual({ start: 0, end: 10 });
    expect(asked('bytes=90-')).toEqual({ start: 90, end: 100 });
    expect(asked('bytes=-5')).toEqual({ start: 95, end: 100 });
    expect(asked('bytes=95-500')).toEqual({ start: 95, end: 100 });
    expect(asked('bytes=-500')).toEqual({ start: 0, end: 100 });
  });

  test('that there is none of, or more than one, is all', () => {
    for (const range of [
      'bytes=100-',
      'bytes=9-3',
      'bytes=-0',
      'bytes=-',
      'bytes=0-1,5-6',
      'lines=1-2',
      'bytes=a-b',
      '',
    ])
      expect(asked(range), range).toBeNull();
    expect(asked('bytes=0-9', { 'if-range': '"other"' })).toBeNull();
  });

  test('is never outside what there is', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.option(fc.nat(1000)), fc.option(fc.nat(1000)), (length, first, last) => {
        const range = readByteRange({ headers: new Headers({ range: `bytes=${first ?? ''}-${last ?? ''}` }) }, length);
        if (range) expect(range.start >= 0 && range.start < range.end && range.end <= length).toBe(true);
      }),
    );
  });
});
