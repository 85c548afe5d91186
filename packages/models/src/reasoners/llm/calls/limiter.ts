import { joinLine, takeSlot, type CallSlot, type WaitingLine } from './waiting-line.ts';

export interface Limits {
  concurrency: number;
  requestsPerMinute?: number;
  tokensPerMinute?: number;
}

export interface Limiter {
  /** Waits in line, first come, first served; an abort leaves the line at once with the signal's reason. */
  acquire(estimatedTokens: number, signal: AbortSignal): Promise<CallSlot>;
  /** Lets nobody pass for a while: the provider asked for it. */
  pauseFor(milliseconds: number): void;
}

const minute = 60_000;
/** Calls do not all take the same time to the provider: by so much those of a minute may draw together on the way. */
const slack = 1_000;

/** Leaks at most `perMinute` units into any minute: holds a tenth for bursts, and refills as the rest allows. */
function createBucket(perMinute: number, now: () => number) {
  const capacity = Math.max(1, Math.floor(perMinute / 10));
  const perMillisecond = (perMinute - capacity + 1) / (minute + slack);
  let level = capacity;
  let filledAt = now();

  const refill = () => {
    const time = now();
    level = Math.min(capacity, level + (time - filledAt) * perMillisecond);
    filledAt = time;
  };
  return {
    /** Milliseconds until `units` can be taken; more than the bucket holds pass on credit when it is full. */
    wait(units: number): number {
      refill();
      const missing = Math.min(units, capacity) - level;
      return missing <= 1e-9 ? 0 : Math.ceil(missing / perMillisecond);
    },
    take(units: number): void {
      level -= units;
    },
    giveBack(units: number): void {
      refill();
      level = Math.min(capacity, level + units);
    },
  };
}

/** The limits of one model, shared by all who call it. Where nothing limits, a slot is had without waiting. */
export function createLimiter(limits: Limits, now: () => number = () => performance.now()): Limiter {
  const requests = limits.requestsPerMinute === undefined ? null : createBucket(limits.requestsPerMinute, now);
  const tokens = limits.tokensPerMinute === undefined ? null : createBucket(limits.tokensPerMinute, now);
  const line: WaitingLine = new Set();
  let running = 0;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function waitFor(estimatedTokens: number): number {
    return Math.max(pausedUntil - now(), requests?.wait(1) ?? 0, tokens?.wait(estimatedTokens) ?? 0);
  }

  function grantSlot(estimatedTokens: number): CallSlot {
    running += 1;
    return takeSlot(estimatedTokens, {
      requests,
      tokens,
      onRelease() {
        running -= 1;
        admitNext();
      },
    });
  }

  function admitNext(): void {
    clearTimeout(timer);
    for (const waiting of line) {
      if (running >= limits.concurrency) return;
      const milliseconds = waitFor(waiting.tokens);
      if (milliseconds > 0) {
        timer = setTimeout(admitNext, milliseconds);
        return;
      }
      line.delete(waiting);
      waiting.admit(grantSlot(waiting.tokens));
    }
  }

  return {
    acquire(estimatedTokens, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (line.size === 0 && running < limits.concurrency && waitFor(estimatedTokens) <= 0) {
        return Promise.resolve(grantSlot(estimatedTokens));
      }
      const admitted = joinLine(line, estimatedTokens, signal, admitNext);
      admitNext();
      return admitted;
    },
    pauseFor(milliseconds) {
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
  };
}
