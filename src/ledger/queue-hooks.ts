import type { Trx } from './database.ts';

/** A queue that keeps its jobs beside `run_items`: what it does in the same transaction as the store. */
export interface QueueHooks {
  /** Called before a transaction that enqueues, so that none waits for a second connection while it holds one. */
  prepare(run: string): Promise<void>;
  /**
   * These items wait from now on, in the order of the input. One that is queued already may come again, and is queued
   * once.
   */
  enqueue(trx: Trx, run: string, positions: readonly number[]): Promise<void>;
  /**
   * The items of the run that wait leave the queue; their rows stay `waiting`, and are queued again when the run is
   * reopened. Those in a worker's hands stay there.
   */
  dequeueWaiting(trx: Trx, run: string): Promise<void>;
}
