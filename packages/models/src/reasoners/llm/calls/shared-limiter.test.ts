import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Limits } from './limiter.ts';
import { createSharedLimiter, type SharedLimiterOptions, type ShareRequest } from './shared-limiter.ts';

const never = new AbortController().signal;
const leaseMs = 5_000;
const longestCallMs = 300;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function limiterOn(limits: Limits, claim: (ask: ShareRequest) => Promise<Limits>, options: SharedLimiterOptions = {}) {
  return createSharedLimiter('fake:model', limits, claim, {
    leaseMs,
    now: () => Date.now(),
    onProblem: () => {},
    ...options,
  });
}

/** Later than `after` milliseconds, by the fake clock. */
function later(after: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, after));
}

interface Whim {
  /** Of what is free, from 0 to 1: how much this claim is given. */
  generosity: number;
  toServerMs: number;
  backMs: number;
  fate: 'answered' | 'lost on the way' | 'answer lost';
}

/** A database of shares with whims: what all hold together never exceeds the limits, and nothing else is certain. */
function createShares(limits: Required<Limits>, quantum: { requests: number; tokens: number }, whims: readonly Whim[]) {
  const held = new Map<number, Limits & { until: number }>();
  let claims = 0;
  const free = (what: keyof Limits, but: number) =>
    [...held].reduce(
      (left, [who, share]) => (who === but || share.until <= Date.now() ? left : left - share[what]!),
      limits[what],
    );
  const whole = (amount: number, least: number) => (amount < least ? 0 : Math.floor(amount));
  return async (who: number, { wanted, inUse, leaseMs: lease }: ShareRequest): Promise<Limits> => {
    // When the whims are over everybody gets what is there.
    const whim = whims[claims++] ?? { generosity: 1, toServerMs: 1, backMs: 1, fate: 'answered' };
    await later(whim.toServerMs);
    if (whim.fate === 'lost on the way') throw new Error('lost on the way');
    const { generosity } = whim;
    const concurrency =
      wanted === 0 ? 0 : Math.max(inUse, Math.min(wanted, Math.round(free('concurrency', who) * generosity)));
    // Who has no place has no rate, as in the ledger: one with the only place and one with the rate would wait for ever.
    const part = concurrency === 0 ? 0 : generosity;
    const share = {
      concurrency,
      requestsPerMinute: whole(free('requestsPerMinute', who) * part, quantum.requests),
      tokensPerMinute: whole(free('tokensPerMinute', who) * part, quantum.tokens),
    };
    // Calls that were begun within the lease may end after it.
    held.set(who, { ...share, until: Date.now() + lease + longestCallMs });
    await later(whim.backMs);
    if (whim.fate === 'answer lost') throw new Error('answer lost');
    return share;
  };
}

const whim = fc.record({
  generosity: fc.constantFrom(0, 0.2, 0.5, 1, 1),
  toServerMs: fc.constantFrom(1, 5, 400),
  backMs: fc.constantFrom(1, 5, 400),
  fate: fc.constantFrom<Whim['fate']>('answered', 'answered', 'answered', 'answered', 'lost on the way', 'answer lost'),
});
/** The database is away for a while: many claims in a row meet the same fate. */
const outage = whim.map((one) => Array.from({ length: 12 }, (): Whim => ({ ...one, fate: 'lost on the way' })));
const whims = fc
  .array(fc.oneof({ weight: 12, arbitrary: whim.map((one) => [one]) }, { weight: 1, arbitrary: outage }), {
    minLength: 10,
    maxLength: 40,
  })
  .map((parts) => parts.flat());
/** Demand comes in bursts, with silences in which buckets fill or shares are given up. */
const calls = fc
  .array(
    fc.record({
      who: fc.nat(3),
      at: fc.nat(60_000),
      number: fc.integer({ min: 1, max: 25 }),
      tokens: fc.integer({ min: 1, max: 50 }),
      durationMs: fc.integer({ min: 1, max: longestCallMs }),
    }),
    { minLength: 3, maxLength: 12 },
  )
  .map((bursts) => bursts.flatMap(({ number, ...call }) => Array.from({ length: number }, () => call)));

interface Start {
  at: number;
  tokens: number;
}

/** Sends the calls through four limiters and tells when each began, and how many ran at once at most. */
async function simulate(
  limits: Required<Limits>,
  share: ReturnType<typeof createShares>,
  made: readonly { who: number; at: number; tokens: number; durationMs: number }[],
) {
  const limiters = [0, 1, 2, 3].map((who) => limiterOn(limits, (ask) => share(who, ask)));
  const starts: Start[] = [];
  let running = 0;
  let most = 0;
  const all = made.map(async ({ who, at, tokens, durationMs }) => {
    await later(at);
    const slot = await limiters[who]!.acquire(tokens, never);
    starts.push({ at: Date.now(), tokens });
    running += 1;
    most = Math.max(most, running);
    await later(durationMs);
    running -= 1;
    slot.release();
  });
  for (let minute = 0; minute < 30 && starts.length < made.length; minute++) await vi.advanceTimersByTimeAsync(60_000);
  await vi.advanceTimersByTimeAsync(longestCallMs);
  expect(starts).toHaveLength(made.length);
  await Promise.all(all);
  for (const limiter of limiters) limiter.close();
  return { starts, most };
}

function busiestMinute(starts: readonly Start[], weigh: (start: Start) => number): number {
  return Math.max(
    ...starts.map(({ at }) =>
      starts.reduce((sum, other) => (other.at >= at && other.at < at + 60_000 ? sum + weigh(other) : sum), 0),
    ),
  );
}

describe('limits that processes share', () => {
  it(
    'hold over all of them together, however shares move and whatever is lost on the way, and everybody gets a ' +
      'turn',
    async () => {
      await fc.assert(
        fc.asyncProperty(calls, whims, fc.integer({ min: 1, max: 20 }), async (made, fates, concurrency) => {
          const limits = { concurrency, requestsPerMinute: 60, tokensPerMinute: 2_000 };
          const { starts, most } = await simulate(
            limits,
            createShares(limits, { requests: 10, tokens: 500 }, fates),
            made,
          );
          expect(most).toBeLessThanOrEqual(concurrency);
          expect(busiestMinute(starts, () => 1)).toBeLessThanOrEqual(limits.requestsPerMinute);
          expect(busiestMinute(starts, ({ tokens }) => tokens)).toBeLessThanOrEqual(limits.tokensPerMinute);
        }),
        { numRuns: 15, endOnFailure: true },
      );
    },
    60_000,
  );

  it('hold when each has a small share that stays', async () => {
    await fc.assert(
      fc.asyncProperty(
        calls,
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 100, max: 400 }),
        async (made, requestsPerMinute, tokensPerMinute) => {
          const limits = {
            concurrency: 40,
            requestsPerMinute: requestsPerMinute * 4,
            tokensPerMinute: tokensPerMinute * 4,
          };
          const share = async () => ({ concurrency: 10, requestsPerMinute, tokensPerMinute });
          const { starts } = await simulate(limits, share, made.slice(0, 25));
          expect(busiestMinute(starts, () => 1)).toBeLessThanOrEqual(limits.requestsPerMinute);
          expect(busiestMinute(starts, ({ tokens }) => tokens)).toBeLessThanOrEqual(limits.tokensPerMinute);
        },
      ),
      { numRuns: 10, endOnFailure: true },
    );
  }, 60_000);

  it('are used to nine tenths by a process that has them alone', async () => {
    const limits = { concurrency: 100, requestsPerMinute: 600, tokensPerMinute: 60_000 };
    const made = Array.from({ length: 900 }, () => ({ who: 0, at: 0, tokens: 100, durationMs: 100 }));
    const { starts } = await simulate(limits, async () => limits, made);
    const minutes = (starts.at(-1)!.at - starts[0]!.at) / 60_000;
    expect(starts.length / minutes).toBeGreaterThan(0.89 * 600);
  }, 60_000);
});

describe('a share', () => {
  const limits = { concurrency: 8 };

  it('is claimed at once when demand begins, every second while it lasts, and given up soon after', async () => {
    const asks: (ShareRequest & { at: number })[] = [];
    const origin = Date.now();
    const limiter = limiterOn(limits, async (ask) => {
      asks.push({ ...ask, at: Date.now() - origin });
      return { concurrency: ask.wanted };
    });
    const slots = await Promise.all([
      ...Array.from({ length: 3 }, () => limiter.acquire(1, never)),
      vi.advanceTimersByTimeAsync(2_500),
    ]);
    for (const slot of slots.slice(0, 3)) (slot as { release(): void }).release();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asks.map(({ wanted }) => wanted)).toEqual([3, 3, 3, 0]);
    expect(asks[0]!.at).toBeLessThan(10);
    expect(asks[3]!.at).toBeLessThan(3_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that was all that was wanted is soon asked to grow', async () => {
    const limiter = limiterOn(limits, async ({ wanted }) => ({ concurrency: wanted }));
    void limiter.acquire(1, never);
    await vi.advanceTimersByTimeAsync(20);
    let admitted = 0;
    for (let i = 0; i < 5; i++) void limiter.acquire(1, never).then(() => (admitted += 1));
    await vi.advanceTimersByTimeAsync(100);
    expect(admitted).toBe(5);
    limiter.close();
  });

  it('is not used when its lease has run out, say of a process that was stopped', async () => {
    let away = false;
    const limiter = limiterOn(limits, ({ wanted }) =>
      away ? new Promise(() => {}) : Promise.resolve({ concurrency: wanted }),
    );
    const first = limiter.acquire(1, never);
    await vi.advanceTimersByTimeAsync(10);
    (await first).release();
    away = true;
    // The process stands still: the clock goes on, and no timer has run.
    vi.setSystemTime(Date.now() + leaseMs + 1);
    let admitted = false;
    const second = limiter.acquire(1, never).then(() => (admitted = true));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(admitted).toBe(false);
    away = false;
    await vi.advanceTimersByTimeAsync(leaseMs);
    await second;
    expect(admitted).toBe(true);
    limiter.close();
  });

  it(
    'that cannot be claimed anew serves on for those that run until its lease ends, is asked for again, and ' +
      'somebody is told once',
    async () => {
      let away = false;
      const problems: string[] = [];
      const limiter = limiterOn(
        limits,
        async ({ wanted }) => {
          if (away) throw new Error('the database is away');
          return { concurrency: wanted };
        },
        { onProblem: (problem) => void problems.push(problem) },
      );
      const held = limiter.acquire(1, never);
      await vi.advanceTimersByTimeAsync(10);
      away = true;
      await vi.advanceTimersByTimeAsync(1_500);
      // One ends and another takes its place.
      const replacing = limiter.acquire(1, never);
      (await held).release();
      const replaced = await replacing;
      await vi.advanceTimersByTimeAsync(leaseMs);
      replaced.release();
      let admitted = false;
      const late = limiter.acquire(1, never).then(() => (admitted = true));
      await vi.advanceTimersByTimeAsync(3_000);
      expect(admitted).toBe(false);
      away = false;
      await vi.advanceTimersByTimeAsync(1_100);
      await late;
      expect(problems).toEqual([expect.stringContaining('fake:model')]);
      limiter.close();
    },
  );
});

describe('who waits for a share', () => {
  it('leaves the line at once when aborted', async () => {
    const limiter = limiterOn({ concurrency: 1 }, async () => ({ concurrency: 0 }));
    const impatient = new AbortController();
    const waiting = limiter.acquire(1, impatient.signal);
    impatient.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is held back by a pause', async () => {
    const limiter = limiterOn({ concurrency: 1 }, async () => ({ concurrency: 1 }));
    limiter.pauseFor(2_000);
    let admitted = false;
    const waiting = limiter.acquire(1, never).then(() => (admitted = true));
    await vi.advanceTimersByTimeAsync(1_990);
    expect(admitted).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    await waiting;
    limiter.close();
  });

  it('is refused when the limiter is closed, which leaves no timer behind', async () => {
    const limiter = limiterOn({ concurrency: 1, requestsPerMinute: 1 }, async () => ({
      concurrency: 1,
      requestsPerMinute: 1,
    }));
    const waiting = limiter.acquire(1, never);
    await vi.advanceTimersByTimeAsync(100);
    limiter.close();
    await expect(waiting).rejects.toMatchObject({ name: 'AgonError', code: 'cancelled' });
    await expect(limiter.acquire(1, never)).rejects.toMatchObject({ name: 'AgonError' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
