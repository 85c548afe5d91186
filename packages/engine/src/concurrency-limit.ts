import { AgonError } from './agon-error.ts';

/** Places for work: so much at once, so much in the queue, and no more. */
export interface ConcurrencyLimit {
  /** Waits for a place, in turn. Throws when the queue is full, or with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
  readonly held: number;
  readonly waiting: number;
  /** Seconds until a place is likely to be free. */
  retryAfter(): number;
}

interface Waiting {
  admit(): void;
}

/** Trials whose time is remembered, to say when to come again. */
const remembered = 50;

export function createConcurrencyLimit({
  concurrency,
  queue = Infinity,
}: {
  concurrency: number;
  queue?: number;
}): ConcurrencyLimit {
  const waiting: Waiting[] = [];
  const lastMs: number[] = [];
  let held = 0;

  function leave(since: number): void {
    held -= 1;
    lastMs.push(performance.now() - since);
    if (lastMs.length > remembered) lastMs.shift();
    waiting.shift()?.admit();
  }

  function take(): () => void {
    held += 1;
    const since = performance.now();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave(since);
    };
  }

  function retryAfter(): number {
    const mean = lastMs.length === 0 ? 1_000 : lastMs.reduce((sum, each) => sum + each, 0) / lastMs.length;
    return Math.min(60, Math.max(1, Math.ceil((mean * (waiting.length + 1)) / concurrency / 1_000)));
  }

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (held < concurrency) return take();
      if (waiting.length >= queue)
        throw new AgonError(
          'queue-full',
          `${held} trials are running and ${waiting.length} are waiting: the queue is full.`,
          `Try again in ${retryAfter()} s; server.concurrency and server.queue set the limits.`,
        );
      return new Promise((resolve, reject) => {
        const mine: Waiting = {
          admit() {
            signal.removeEventListener('abort', giveUp);
            resolve(take());
          },
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(mine), 1);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.push(mine);
      });
    },
    get held() {
      return held;
    },
    get waiting() {
      return waiting.length;
    },
    retryAfter,
  };
}

/** Work that takes long and can wait for its turn: many who ask at once take no more of the thread than one. */
export interface Sequence {
  /** Whoever has gone away when their turn comes is passed over; when too many wait, `queue-full` is thrown. */
  take<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

export function createSequence(mostWaiting = 64): Sequence {
  let before: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async take(work, signal) {
      if (waiting >= mostWaiting)
        throw new AgonError('queue-full', 'Too many requests for figures at once.', 'Try again in a moment.');
      waiting += 1;
      const mine = before.then(() => {
        waiting -= 1;
        signal?.throwIfAborted();
        return work();
      });
      before = mine.catch(() => undefined);
      return mine;
    },
  };
}
