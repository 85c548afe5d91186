import { AgonError } from '@agonhq/engine/agon-error';
import type { Limiter, Limits } from './limiter.ts';
import { joinLine, takeSlot, type CallSlot, type WaitingLine } from './waiting-line.ts';

const minute = 60_000;

/**
 * A bucket that refills at the rate of a share, which may change at any time. It starts empty; a share that grows adds
 * rate and no level, one that shrinks clips the level.
 *
 * A tenth of the share is held for bursts and the rest refills. Buckets of shares that add up to the limit therefore
 * hold a tenth of it together, however shares move between them, and leak no more than the limit into any minute. A
 * call of more than a tenth of the share takes more of it for bursts (up to a half): then this holds for shares that
 * stay, and those that move may carry one such call each over the limit. Give whole shares of ten calls or more to be
 * strict.
 */
export function createShareBucket(startedAt: number) {
  let perMinute = 0;
  let largest = 0;
  let level = 0;
  let filledAt = startedAt;

  const capacityOf = (share: number) => Math.max(share / 10, Math.min(largest, share / 2));
  const rateOf = (share: number) => (share - capacityOf(share)) / minute;
  const refill = (until: number, share = perMinute) => {
    level = Math.min(capacityOf(share), level + Math.max(0, until - filledAt) * rateOf(share));
    filledAt = Math.max(filledAt, until);
  };

  return {
    /** The share that was asked for at `askedAt` and granted at `grantedAt`: in between, the lesser one counts. */
    change(share: number, askedAt: number, grantedAt: number): void {
      refill(askedAt);
      refill(grantedAt, Math.min(share, perMinute));
      perMinute = share;
    },
    /** The share was lost: what it had saved up is gone, what is owed stays owed. */
    lose(now: number): void {
      perMinute = 0;
      refill(now);
    },
    /** Milliseconds until `units` can be taken; more than the bucket holds pass on credit when it is full. */
    wait(units: number, now: number): number {
      refill(now);
      largest = Math.max(largest, units);
      if (perMinute <= 0) return Infinity;
      const missing = Math.min(units, capacityOf(perMinute)) - level;
      return missing <= 1e-9 ? 0 : Math.ceil(missing / rateOf(perMinute));
    },
    take(units: number): void {
      level -= units;
    },
    giveBack(units: number): void {
      level += units;
    },
  };
}

type ShareBucket = ReturnType<typeof createShareBucket>;

export interface ShareRequest {
  /** The most calls that ran or waited at once since the last claim. */
  wanted: number;
  /** Calls that run. Until the claim is answered no more than these are begun in place of those that end. */
  inUse: number;
  /** How long the share holds unless it is claimed again. */
  leaseMs: number;
}

export interface SharedLimiterOptions {
  leaseMs?: number;
  claimEveryMs?: number;
  /** How long after the last call the share is given up. */
  giveUpAfterMs?: number;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
  /** Told once when claims begin to fail. The default is a warning of the process. */
  onProblem?(problem: string): void;
}

/** A limiter whose limits other processes share. */
export interface SharedLimiter extends Limiter {
  /** Claims no more; who waits is refused. What is held runs out with its lease. */
  close(): void;
}

interface PendingClaim {
  at: number;
  wanted: number;
  inUse: number;
}

/** A share that was all that was wanted may be too small a moment later: how soon more may be asked for. */
const soonestMs = 50;

/**
 * Keeps to a share of a model's limits, which it claims about every second while there is demand. When the lease has
 * run out (the process was stopped, the database is away) nobody is admitted until a new claim has been answered.
 *
 * @example
 * const limiter = createSharedLimiter('openai:gpt-4o-mini', limits, (ask) => fleet.share({ worker, model, limits,
 * ...ask }));
 */
export function createSharedLimiter(
  model: string,
  limits: Limits,
  claim: (ask: ShareRequest) => Promise<Limits>,
  options: SharedLimiterOptions = {},
): SharedLimiter {
  const { leaseMs = 5_000, claimEveryMs = 1_000, giveUpAfterMs = 250, now = () => performance.now() } = options;
  const { onProblem = (problem) => process.emitWarning(problem, { code: 'AGON_SHARED_LIMITS' }) } = options;
  const requests = limits.requestsPerMinute === undefined ? null : createShareBucket(now());
  const tokens = limits.tokensPerMinute === undefined ? null : createShareBucket(now());
  const buckets = [requests, tokens].filter((bucket): bucket is ShareBucket => bucket !== null);
  const line: WaitingLine = new Set();
  /** What is held, of calls at once; a lease that has run out holds nothing. */
  let held = 0;
  let leaseEnds = -Infinity;
  let running = 0;
  let peak = 0;
  let asked: PendingClaim | null = null;
  let askedLast = { at: -Infinity, wanted: 0 };
  let pausedUntil = 0;
  let claimTimer: NodeJS.Timeout | undefined;
  let admitTimer: NodeJS.Timeout | undefined;
  let failing = false;
  let closed = false;

  function placesFree(): boolean {
    if (now() >= leaseEnds) return false;
    if (asked === null) return running < held;
    // What is being claimed may turn out to be less than what is held, and another's already: but never less than
    // what runs.
    return buckets.length === 0 && running < Math.min(held, asked.inUse);
  }

  function waitFor(estimatedTokens: number): number {
    return Math.max(pausedUntil - now(), requests?.wait(1, now()) ?? 0, tokens?.wait(estimatedTokens, now()) ?? 0);
  }

  function grantSlot(estimatedTokens: number): CallSlot {
    running += 1;
    return takeSlot(estimatedTokens, {
      requests,
      tokens,
      onRelease() {
        running -= 1;
        demandChanged();
      },
    });
  }

  function demandChanged(): void {
    peak = Math.max(peak, running + line.size);
    admitNext();
    planClaim();
  }

  function admitNext(): void {
    clearTimeout(admitTimer);
    for (const waiting of line) {
      if (!placesFree()) return;
      const milliseconds = waitFor(waiting.tokens);
      if (milliseconds > 0) {
        // Without a rate the next claim decides.
        if (milliseconds < Infinity) admitTimer = setTimeout(admitNext, milliseconds);
        return;
      }
      line.delete(waiting);
      waiting.admit(grantSlot(waiting.tokens));
    }
  }

  /** Sets the clock for the next claim: none is needed where nothing is wanted and nothing is held. */
  function planClaim(): void {
    if (asked !== null || closed) return;
    clearTimeout(claimTimer);
    const wanted = running + line.size;
    const holding = now() < leaseEnds;
    if (wanted === 0 && !holding) return;
    const since = now() - askedLast.at;
    claimTimer = setTimeout(claimShare, Math.max(0, pauseBeforeClaim(wanted, holding) - since));
    // Who waits for a share keeps the process alive; a share that nobody needs does not.
    if (line.size === 0) claimTimer.unref();
  }

  function pauseBeforeClaim(wanted: number, holding: boolean): number {
    if (wanted === 0) return now() - askedLast.at + giveUpAfterMs;
    if (failing) return claimEveryMs;
    if (!holding) return 0;
    const gotAll = held >= Math.min(askedLast.wanted, limits.concurrency);
    return gotAll && running >= held && wanted > held && held < limits.concurrency ? soonestMs : claimEveryMs;
  }

  function claimShare(): void {
    const at = now();
    const demand = running + line.size;
    const mine = { at, wanted: demand === 0 ? 0 : Math.max(peak, demand), inUse: running };
    asked = mine;
    askedLast = mine;
    peak = demand;
    if (at >= leaseEnds) for (const bucket of buckets) bucket.lose(at);
    const answered = (take: () => void) => {
      if (asked !== mine) return;
      take();
      asked = null;
      demandChanged();
    };
    const failed = (error: unknown) => answered(() => refused(mine, error));
    void (async () => claim({ wanted: mine.wanted, inUse: mine.inUse, leaseMs }))().then(
      (share) => answered(() => granted(mine, share)),
      failed,
    );
    claimTimer = setTimeout(failed, leaseMs, new Error(`no answer within ${leaseMs} ms`));
    if (line.size === 0) claimTimer.unref();
  }

  function granted({ at, wanted }: PendingClaim, share: Limits): void {
    failing = false;
    if (wanted === 0) return giveUp();
    held = Math.min(share.concurrency, limits.concurrency);
    leaseEnds = at + leaseMs;
    requests?.change(share.requestsPerMinute ?? 0, at, now());
    tokens?.change(share.tokensPerMinute ?? 0, at, now());
  }

  function refused({ wanted, inUse }: PendingClaim, error: unknown): void {
    // A share that is not given up is free when its lease has run out.
    if (wanted === 0) return giveUp();
    // Whether the claim arrived is not known: what runs is certainly ours, for as long as the lease holds.
    held = Math.min(held, inUse);
    if (failing) return;
    failing = true;
    const why = error instanceof Error ? error.message : String(error);
    onProblem(`The share of ${model}'s limits could not be claimed and is asked for again: ${why}`);
  }

  function giveUp(): void {
    held = 0;
    leaseEnds = -Infinity;
    askedLast = { at: -Infinity, wanted: 0 };
    for (const bucket of buckets) bucket.lose(now());
  }

  return {
    acquire(estimatedTokens, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (closed) return Promise.reject(makeClosedError(model));
      const admitted = joinLine(line, estimatedTokens, signal, demandChanged);
      demandChanged();
      return admitted;
    },
    pauseFor(milliseconds) {
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
    close() {
      closed = true;
      clearTimeout(claimTimer);
      clearTimeout(admitTimer);
      for (const waiting of line) waiting.refuse(makeClosedError(model));
      line.clear();
    },
  };
}

function makeClosedError(model: string): AgonError {
  return new AgonError(
    'cancelled',
    `The work with ${model} was ended while calls waited for it.`,
    'Run it again to go on: answered turns are recalled from the journal.',
  );
}
