import { randomBytes } from 'node:crypto';
import { AgonError } from '@agonhq/engine/agon-error';
import type { SentEvent } from '../reply.ts';
import { markEventId, findResumePosition } from './resume-position.ts';

/** A trial under way with everything it has said so far: whoever comes late hears it from the start. */
export interface LiveTrial<Result = unknown> {
  /** The case, once it is known. */
  readonly caseId: string | null;
  readonly ended: boolean;
  /** Whoever comes now may join: it has not ended, and is not about to be stopped. */
  readonly joinable: boolean;
  /** Somebody listened to its events, and may come back for the rest. */
  readonly streamed: boolean;
  /** The events from after one on, until the trial ends. Whoever stops listening has left. */
  subscribe(options: { after: string | null; signal: AbortSignal }): AsyncGenerator<SentEvent, void, void>;
  /** What the trial comes to, for somebody who waits for nothing else. */
  waitForResult(signal: AbortSignal): Promise<Result>;
  /** Ends it for everybody who listens. */
  stop(): void;
}

export interface LiveTrialOptions<Result> {
  /** The trial: what it yields is told, what it returns is the result. */
  hold(signal: AbortSignal): AsyncGenerator<SentEvent, Result, void>;
  /** The last event of a trial that went well. */
  conclude(result: Result): SentEvent;
  /** The last event of one that did not. */
  fail(error: unknown): SentEvent;
  /** How long it is held on when nobody listens any more. */
  graceMs: number;
  timeoutMs: number;
  /** Ends it from outside: the server drains. */
  signal: AbortSignal;
  onEnd(): void;
}

export function startLiveTrial<Result>(trial: LiveTrialOptions<Result>): LiveTrial<Result> {
  const told: SentEvent[] = [];
  const mark = randomBytes(4).toString('hex');
  const stop = new AbortController();
  const { promise: result, resolve, reject } = Promise.withResolvers<Result>();
  result.catch(() => undefined);
  let ended = false;
  let streamed = false;
  let caseId: string | null = null;
  let attending = 0;
  let leaving: NodeJS.Timeout | undefined;
  let { promise: more, resolve: wake } = Promise.withResolvers<void>();

  function tell(event: SentEvent): void {
    told.push(event);
    caseId ??= (event.data as { debate?: string }).debate ?? null;
    wake();
    ({ promise: more, resolve: wake } = Promise.withResolvers<void>());
  }

  async function run(): Promise<void> {
    const timer = setTimeout(
      () =>
        stop.abort(
          new AgonError(
            'took-too-long',
            `The trial took longer than ${Math.round(trial.timeoutMs / 1000)} s.`,
            'Try again: arguments made so far are recalled. server.timeoutSeconds sets the limit.',
          ),
        ),
      trial.timeoutMs,
    );
    const signal = AbortSignal.any([stop.signal, trial.signal]);
    try {
      const events = trial.hold(signal);
      let step = await events.next();
      for (; !step.done; step = await events.next()) tell(step.value);
      tell(trial.conclude(step.value));
      resolve(step.value);
    } catch (error) {
      // What was aborted may fail in its own words: the reason is what is to be known.
      const why = signal.aborted ? signal.reason : error;
      tell(trial.fail(why));
      reject(why as Error);
    } finally {
      clearTimeout(timer);
      clearTimeout(leaving);
      ended = true;
      wake();
      trial.onEnd();
    }
  }

  /** From now on until the returned function is called, somebody is there. */
  function attend(patienceMs: number): () => void {
    attending += 1;
    clearTimeout(leaving);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      attending -= 1;
      if (attending > 0 || ended) return;
      leaving = setTimeout(
        () =>
          stop.abort(
            new AgonError('cancelled', 'Nobody listened any more.', 'Try again: arguments made so far are recalled.'),
          ),
        patienceMs,
      );
    };
  }

  async function* tellFrom(
    after: string | null,
    signal: AbortSignal,
    leave: () => void,
  ): AsyncGenerator<SentEvent, void, void> {
    const gone = new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
    try {
      for (let next: number | null = null; !signal.aborted;) {
        const waiting = more;
        next ??= findResumePosition(told, { last: after, mark, ended });
        for (; next !== null && next < told.length && !signal.aborted; next += 1)
          yield { ...told[next]!, id: markEventId(told[next]!.id, mark) };
        if (ended && next !== null && next >= told.length) return;
        if (!signal.aborted) await Promise.race([waiting, gone]);
      }
    } finally {
      leave();
    }
  }

  void run();
  return {
    get caseId() {
      return caseId;
    },
    get ended() {
      return ended;
    },
    get joinable() {
      return !ended && !stop.signal.aborted;
    },
    get streamed() {
      return streamed;
    },
    subscribe({ after, signal }) {
      streamed = true;
      // From now on, not from the first event that is asked for: a client may be gone before it reads any.
      const leave = attend(trial.graceMs);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      return tellFrom(after, signal, leave);
    },
    async waitForResult(signal) {
      // Nobody can come back to an answer that was waited for.
      const leave = attend(0);
      try {
        const { promise: gone, reject: go } = Promise.withResolvers<never>();
        const onAbort = () => go(signal.reason as Error);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
        return await Promise.race([result, gone]).finally(() => signal.removeEventListener('abort', onAbort));
      } finally {
        leave();
      }
    },
    stop: () =>
      stop.abort(
        new AgonError('cancelled', 'Somebody stopped the trial.', 'Try again: arguments made so far are recalled.'),
      ),
  };
}
