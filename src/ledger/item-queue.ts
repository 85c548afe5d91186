import type { ItemError, ItemResult } from './runs.ts';

/** An item in the hands of one worker. */
export interface TakenItem {
  run: string;
  position: number;
  key: string;
  hash: string;
  input: unknown;
  expected: string | null;
  /** How often it was tried before. */
  attempts: number;
  /** What the queue needs to know it by. */
  claim: string;
}

/**
 * The items of runs that wait to be judged. Each is in one worker's hands at a time; the items of a worker that is
 * heard of no more wait again, and after too many such ends they are set aside as failed (`worker-died`).
 */
export interface ItemQueue {
  /** At most `count` items of a run, oldest first; none when none wait now. */
  take(run: string, count: number): Promise<readonly TakenItem[]>;
  /** Says that the worker is still at it. Returns those that are no longer its own: they must be dropped at once. */
  keep(items: readonly TakenItem[]): Promise<readonly TakenItem[]>;
  /**
   * Its result stands, the first one for good; false when the item was no longer this worker's (the result of the
   * other stands).
   */
  finish(item: TakenItem, result: ItemResult): Promise<boolean>;
  /**
   * It could not be judged: it waits again after a pause that doubles, or is set aside when `retry` is false or the
   * attempts are used up.
   */
  fail(item: TakenItem, error: ItemError, options: { retry: boolean }): Promise<'waiting' | 'failed' | 'lost'>;
  /** Lets go of items that were not judged, without counting it as an attempt. */
  giveBack(items: readonly TakenItem[]): Promise<void>;
  /** Milliseconds within which `keep` must come. */
  readonly heartbeatMs: number;
  /** Finds items of dead workers. Called every few seconds by whoever works. */
  reclaim(): Promise<void>;
  close(): Promise<void>;
}

export interface QueueOptions {
  /** Who takes: shown beside the items. */
  worker: string;
  /** Attempts before an item is set aside. */
  attempts?: number;
  /** The first pause before another attempt; it doubles. */
  retryDelayMs?: number;
  /** A worker that is not heard of for so long is dead. The same for all workers of a fleet. */
  heartbeatMs?: number;
}
