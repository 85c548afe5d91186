import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

type RateLimit = ReturnType<typeof createRateLimit>;

function isLet(limit: RateLimit, owner = 'one'): boolean {
  try {
    limit(owner);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'rate-limited' });
    return false;
  }
}

function retryAfter(limit: RateLimit, owner = 'one'): number {
  try {
    limit(owner);
  } catch (error) {
    return (error as { retryAfter: number }).retryAfter;
  }
  throw new Error('It was let in.');
}

describe('a rate', () => {
  test('lets in as many as it says at once, then as they come free', () => {
    let now = 0;
    const limit = createRateLimit(6, { now: () => now });
    expect(Array.from({ length: 8 }, () => isLet(limit))).toEqual([true, true, true, true, true, true, false, false]);
    expect(retryAfter(limit)).toBe(10);
    now += 10_000;
    expect([isLet(limit), isLet(limit)]).toEqual([true, false]);
  });

  test('is each owner’s own', () => {
    const limit = createRateLimit(1, { now: () => 0 });
    expect([isLet(limit, 'one'), isLet(limit, 'other'), isLet(limit, 'one')]).toEqual([true, true, false]);
  });

  test('of less than one a minute lets one in, and says how long the next takes', () => {
    const limit = createRateLimit(0.5, { now: () => 0 });
    expect(isLet(limit)).toBe(true);
    expect(retryAfter(limit)).toBe(120);
  });

  test('holds over any stretch of time, and whoever waits as long as it says is let in', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.array(fc.nat(5_000), { minLength: 1, maxLength: 200 }),
        (perMinute, pauses) => {
          let now = 0;
          const limit = createRateLimit(perMinute, { now: () => now });
          const letAt: number[] = [];
          for (const pause of pauses) {
            now += pause;
            if (isLet(limit)) letAt.push(now);
          }
          for (const [index, from] of letAt.entries())
            expect(letAt.length - index).toBeLessThanOrEqual(perMinute + ((now - from) * perMinute) / 60_000 + 1);
          while (isLet(limit));
          now += retryAfter(limit) * 1000;
          expect(isLet(limit)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('remembers only so many owners, and whoever asks on and on is not forgotten', () => {
    const limit = createRateLimit(1, { now: () => 0, mostOwners: 10 });
    expect(isLet(limit, 'busy')).toBe(true);
    for (let index = 0; index < 1_000; index += 1) {
      isLet(limit, `owner ${index}`);
      expect(isLet(limit, 'busy')).toBe(false);
    }
    expect(isLet(limit, 'owner 0')).toBe(true);
  });

  test('is not moved by a clock that goes back', () => {
    let now = 100_000;
    const limit = createRateLimit(1, { now: () => now });
    isLet(limit);
    now = 0;
    expect(isLet(limit)).toBe(false);
  });
});
