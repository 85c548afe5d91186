import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSharedLimiter } from '@agonhq/models/reasoners';
import { computeShare, type HeldShare } from './fair-share.ts';

const never = new AbortController().signal;
const minute = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Workers whose limiters claim their shares as the store grants them; a claim takes a moment there and back. */
function limitersOf(count: number, requestsPerMinute: number) {
  const limits = { concurrency: 50, requestsPerMinute };
  const rows = new Map<string, HeldShare & { until: number }>();
  return Array.from({ length: count }, (_, index) => {
    const worker = `worker-${index}`;
    const options = { now: () => Date.now(), onProblem: () => {} };
    return createSharedLimiter(
      'fake:model',
      limits,
      async ({ wanted, inUse, leaseMs }) => {
        await later(2);
        for (const [name, { until }] of rows) if (until <= Date.now()) rows.delete(name);
        const { share, held } = computeShare(
          { worker, wanted, inUse, limits, turn: Math.floor(Date.now() / (2 * minute)) },
          [...rows.values()],
        );
        rows.set(worker, {
          worker,
          wanted,
          concurrency: held,
          requestsPerMinute: share.requestsPerMinute!,
          tokensPerMinute: 0,
          until: Date.now() + leaseMs,
        });
        await later(2);
        return share;
      },
      options,
    );
  });
}

/** When each call began: bursts of calls, each of some worker at some moment. */
async function startsOf(
  limiters: ReturnType<typeof limitersOf>,
  bursts: readonly { who: number; at: number; number: number }[],
): Promise<number[]> {
  const starts: number[] = [];
  const made = bursts.flatMap(({ who, at, number }) =>
    Array.from({ length: number }, async () => {
      await later(at);
      const permit = await limiters[who % limiters.length]!.acquire(1, never);
      starts.push(Date.now());
      await later(200);
      permit.release();
    }),
  );
  for (let minutes = 0; minutes < 300 && starts.length < made.length; minutes += 1)
    await vi.advanceTimersByTimeAsync(minute);
  await vi.advanceTimersByTimeAsync(200);
  expect(starts, 'everybody had a turn').toHaveLength(made.length);
  await Promise.all(made);
  for (const limiter of limiters) limiter.close();
  return starts;
}

function busiestMinute(starts: readonly number[]): number {
  return Math.max(...starts.map((from) => starts.filter((at) => at >= from && at < from + minute).length));
}

describe('a limit of few requests a minute', () => {
  const burst = fc.record({ who: fc.nat(11), at: fc.nat(3 * minute), number: fc.integer({ min: 1, max: 6 }) });

  test('holds in any minute, however many workers share it and whenever they call, and nobody waits for ever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 30 }),
        fc.integer({ min: 2, max: 12 }),
        fc.array(burst, { minLength: 3, maxLength: 8 }),
        async (requestsPerMinute, workers, bursts) => {
          expect(busiestMinute(await startsOf(limitersOf(workers, requestsPerMinute), bursts))).toBeLessThanOrEqual(
            requestsPerMinute,
          );
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
  });

  test('is used well although it goes from one to the other', async () => {
    const began = Date.now();
    const starts = await startsOf(
      limitersOf(3, 7),
      [0, 1, 2].map((who) => ({ who, at: 0, number: 20 })),
    );
    expect(busiestMinute(starts)).toBeLessThanOrEqual(7);
    const minutes = (Math.max(...starts) - began) / minute;
    expect(starts.length / minutes).toBeGreaterThan(5);
  });
});
