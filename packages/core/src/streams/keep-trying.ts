import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import type { OnNote } from './stream.ts';

const firstPauseMs = 200;
const longestPauseMs = 5_000;

export interface TryOptions {
  onNote: OnNote;
  /** From then on, nothing is waited for. */
  signal: AbortSignal;
}

const passing = new Set(['broker-unreachable', 'database-unreachable']);

/** Whether waiting may help: whoever is away may come back. */
export function isAway(error: unknown): error is AgonError {
  return AgonError.is(error) && passing.has(error.code);
}

/** Does something that may fail while others are away, again and again until they are back; says so once. */
export async function keepTrying<Result>(work: () => Promise<Result>, { onNote, signal }: TryOptions): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const result = await work();
      if (attempt > 0) onNote('It is back: the stream goes on.');
      return result;
    } catch (error) {
      if (!isAway(error) || signal.aborted) throw error;
      if (attempt === 0) onNote(`${error.message} Waiting for it.`);
      await pauseBefore(attempt, signal);
    }
  }
}

export async function pauseBefore(attempt: number, signal: AbortSignal): Promise<void> {
  await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** attempt), undefined, { signal }).catch(() => undefined);
}
