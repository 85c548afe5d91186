import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLimiter, type Limits } from './limiter.ts';

const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Sends calls of these token counts through a limiter and tells when each was let pass. */
async function startsOf(
  limits: Limits,
  calls: readonly { estimated: number; used: number }[],
  durationMs: number,
): Promise<number[]> {
  const limiter = createLimiter(limits, () => Date.now());
  const origin = Date.now();
  const starts: number[] = [];
  const all = calls.map(async ({ estimated, used }, index) => {
    const slot = await limiter.acquire(estimated, never);
    starts[index] = Date.now() - origin;
    setTimeout(() => slot.release(used), durationMs);
  });
  await vi.runAllTimersAsync();
  await Promise.all(all);
  return starts;
}

function many<Call>(number: number, call: Call): Call[] {
  return Array.from({ length: number }, () => call);
}

function busiestMinute(starts: readonly number[], weights: readonly number[]): number {
  return Math.max(
    ...starts.map((start) =>
      starts.reduce((sum, other, i) => (other >= start && other < start + 60_900 ? sum + weights[i]! : sum), 0),
    ),
  );
}

describe('the limits of a model', () => {
  it('let nobody wait when nothing limits', async () => {
    const starts = await startsOf({ concurrency: 50 }, many(50, { estimated: 1e6, used: 1e6 }), 1000);
    expect(new Set(starts)).toEqual(new Set([0]));
  });

  it('allow no more than the requests per minute in any minute, and not much fewer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 120 }),
        async (requestsPerMinute, number) => {
          const calls = Array.from({ length: number }, () => ({ estimated: 1, used: 1 }));
          const starts = await startsOf({ concurrency: 1000, requestsPerMinute }, calls, 10);
          expect(
            busiestMinute(
              starts,
              calls.map(() => 1),
            ),
          ).toBeLessThanOrEqual(requestsPerMinute);
          // Calls that have a minute's limit in front of them take at most about a ninth longer than an ideal spread.
          expect(Math.max(...starts)).toBeLessThanOrEqual((number / requestsPerMinute) * 60_000 * 1.12 + number);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('allow no more than the tokens per minute in any minute', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 60 }), async (sizes) => {
        const calls = sizes.map((size) => ({ estimated: size, used: size }));
        const starts = await startsOf({ concurrency: 1000, tokensPerMinute: 1000 }, calls, 10);
        expect(busiestMinute(starts, sizes)).toBeLessThanOrEqual(1000);
      }),
      { numRuns: 30 },
    );
  });

  it('correct estimated tokens by those really used', async () => {
    const limits = { concurrency: 1, tokensPerMinute: 1000 };
    const overestimated = await startsOf(limits, many(20, { estimated: 100, used: 5 }), 10);
    const exact = await startsOf(limits, many(20, { estimated: 100, used: 100 }), 10);
    expect(Math.max(...overestimated)).toBeLessThan(Math.max(...exact) / 5);
  });

  it('let a call pass that is larger than the bucket, once it is full', async () => {
    const starts = await startsOf({ concurrency: 5, tokensPerMinute: 100 }, many(2, { estimated: 500, used: 500 }), 10);
    expect(starts[0]).toBe(0);
    expect(starts[1]).toBeGreaterThan(60_000);
  });

  it('serve first who came first, large or small', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 30 }), async (sizes) => {
        const starts = await startsOf(
          { concurrency: 2, tokensPerMinute: 2000, requestsPerMinute: 60 },
          sizes.map((size) => ({ estimated: size, used: size })),
          500,
        );
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }),
      { numRuns: 30 },
    );
  });

  it('pause for as long as the longest that was asked for', async () => {
    const limiter = createLimiter({ concurrency: 5 }, () => Date.now());
    limiter.pauseFor(500);
    limiter.pauseFor(100);
    let admitted = false;
    void limiter.acquire(1, never).then(() => (admitted = true));
    await vi.advanceTimersByTimeAsync(499);
    expect(admitted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(admitted).toBe(true);
  });

  it('let the next one pass when the first in line gives up', async () => {
    const limiter = createLimiter({ concurrency: 1, tokensPerMinute: 600 }, () => Date.now());
    const first = await limiter.acquire(60, never);
    const impatient = new AbortController();
    const large = limiter.acquire(60, impatient.signal);
    const small = limiter.acquire(1, never);
    first.release();
    impatient.abort(new Error('gone'));
    await expect(large).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(200);
    await expect(small).resolves.toBeDefined();
  });

  it('hold everybody back during a pause', async () => {
    const limiter = createLimiter({ concurrency: 5 }, () => Date.now());
    limiter.pauseFor(1000);
    let passed = false;
    const waiting = limiter.acquire(1, never).then(() => (passed = true));
    await vi.advanceTimersByTimeAsync(999);
    expect(passed).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    await waiting;
    expect(passed).toBe(true);
  });
});
