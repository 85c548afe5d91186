import type { SentEvent } from '../reply.ts';
import type { ServerLimits } from '../limits.ts';
import { startLiveTrial, type LiveTrial } from './live-trial.ts';
import { createConcurrencyLimit, type ConcurrencyLimit } from '@agonhq/engine/concurrency-limit';

/** What is to be heard. */
export interface TrialOrder<Result> {
  /** Trials of the same key are one: who asks for what is being judged joins. */
  key: string;
  hold(signal: AbortSignal): AsyncGenerator<SentEvent, Result, void>;
  conclude(result: Result): SentEvent;
}

/** The trials under way, and those that have just ended. */
export interface LiveTrials {
  readonly limit: ConcurrencyLimit;
  /** Begins a trial as soon as there is a place, or joins it. Throws when there is none and no room to wait. */
  startOrJoin<Result>(trial: TrialOrder<Result>, signal: AbortSignal): Promise<LiveTrial<Result>>;
  /** The trial of a case, while it is held and for a while afterwards. */
  findByCase(caseId: string): LiveTrial | undefined;
  /** Keeps nothing of what has ended: something was forgotten, and may be in it. */
  forgetEnded(): void;
  /** When nothing is held any more, and nobody waits for a place. */
  whenIdle(): Promise<void>;
}

/** How long what a trial said is kept for those who lost the connection at its end. */
const keptMs = 30_000;

export interface LiveTrialsOptions {
  limits: Pick<ServerLimits, 'concurrency' | 'queue' | 'timeoutSeconds' | 'graceSeconds'>;
  /** Ends what is held. */
  signal: AbortSignal;
  /** How a failure is told. */
  failed(error: unknown): SentEvent;
}

export function openLiveTrials({ limits, signal: ended, failed }: LiveTrialsOptions): LiveTrials {
  const places = createConcurrencyLimit(limits);
  const held = new Map<string, LiveTrial>();
  const running = new Set<LiveTrial>();
  let nobody = Promise.withResolvers<void>();
  /** A place that was given to somebody who waited is held before their trial has begun. */
  const isIdle = () => running.size === 0 && places.held === 0;

  return {
    limit: places,
    async startOrJoin<Result>({ key, hold, conclude }: TrialOrder<Result>, signal: AbortSignal) {
      const known = held.get(key);
      if (known?.joinable) return known as LiveTrial<Result>;
      const leave = await places.enter(AbortSignal.any([signal, ended]));
      const begun = held.get(key);
      if (begun?.joinable) {
        leave();
        return begun as LiveTrial<Result>;
      }
      const live: LiveTrial<Result> = startLiveTrial<Result>({
        hold,
        conclude,
        fail: failed,
        graceMs: limits.graceSeconds * 1000,
        timeoutMs: limits.timeoutSeconds * 1000,
        signal: ended,
        onEnd() {
          leave();
          queueMicrotask(() => {
            running.delete(live);
            if (!isIdle()) return;
            nobody.resolve();
            nobody = Promise.withResolvers<void>();
          });
          const drop = () => {
            if (held.get(key) === live) held.delete(key);
          };
          if (live.streamed) setTimeout(drop, keptMs).unref();
          else drop();
        },
      });
      running.add(live);
      held.set(key, live);
      return live;
    },
    findByCase(caseId) {
      let found: LiveTrial | undefined;
      for (const live of held.values()) if (live.caseId === caseId && (!found || found.ended)) found = live;
      return found;
    },
    forgetEnded() {
      for (const [key, live] of held) if (live.ended) held.delete(key);
    },
    async whenIdle() {
      if (!isIdle()) await nobody.promise;
    },
  };
}
