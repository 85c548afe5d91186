import type { UnrecordedCase } from '../cases/cases.ts';
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
}

/**
 * The items of runs that wait to be judged. Each is in one worker's hands at a time, from when it is taken; the items
 * of a worker that is heard of no more wait again. Any of them may be what ended it, so from then on each is tried by
 * itself, after all others, while its process has nothing else in hand; one that ends too many processes in that way
 * is set aside as failed (`worker-died`).
 */
export interface ItemQueue {
  /** At most `count` items of a run, oldest first; none when none wait now, or none that this process may have now. */
  takeItems(run: string, count: number): Promise<readonly TakenItem[]>;
  /** Says that the worker is still at it. Returns those that are no longer its own: they must be dropped at once. */
  renewItems(items: readonly TakenItem[]): Promise<readonly TakenItem[]>;
  /**
   * Its result stands, the first one for good; false when the item was no longer this worker's (the result of the
   * other stands).
   */
  finishItem(item: TakenItem, result: ItemResult): Promise<boolean>;
  /**
   * The same, and its case goes on record in the same transaction, with those of many others. Null where it is no case
   * of a single row, or was there before: it has to be put on record by itself first.
   */
  finishDecided(item: TakenItem, result: ItemResult, decided: UnrecordedCase): Promise<boolean | null>;
  /**
   * It could not be judged: it waits again after a pause that doubles, or is set aside when `retry` is false or the
   * attempts are used up.
   */
  failItem(item: TakenItem, error: ItemError, options: { retry: boolean }): Promise<'waiting' | 'failed' | 'lost'>;
  /** Lets go of items that were not judged, without counting it as an attempt. */
  giveBackItems(items: readonly TakenItem[]): Promise<void>;
  /** Milliseconds within which `renewItems` must come. */
  readonly heartbeatMs: number;
  /** Finds items of dead workers. Called every few seconds by whoever works. */
  reclaimItems(): Promise<void>;
  close(): Promise<void>;
}

export interface QueueOptions {
  /** Who takes: shown beside the items. */
  worker: string;
  /** The first pause before another attempt; it doubles. */
  retryDelayMs?: number;
  /** A worker that is not heard of for so long is dead. The same for all workers of a fleet. */
  heartbeatMs?: number;
}

/** Workers on any number of machines, and the limits that they share. Only on PostgreSQL. */
export interface Fleet {
  /** A worker says that it is there, and what it does; what is not heard of for `deadAfterMs` is gone. */
  recordBeat(worker: WorkerBeat): Promise<void>;
  removeWorker(worker: string): Promise<void>;
  listWorkers(): Promise<readonly WorkerRow[]>;
  /**
   * A worker's share of a model's limits. What all workers hold together never exceeds the limits: what one gives up
   * another may take; the share of a worker that is heard of no more is free when its lease has run out.
   */
  claimShare(claim: ShareClaim): Promise<Share>;
}

export interface WorkerBeat {
  id: string;
  host: string;
  pid: number;
  version: string;
  concurrency: number;
  /** Items in its hands. */
  running: number;
  judged: number;
  failed: number;
  state: 'working' | 'draining';
}

export interface WorkerRow extends WorkerBeat {
  startedAt: Date;
  seenAt: Date;
  /** Heard of lately. */
  alive: boolean;
}

export interface ShareClaim {
  worker: string;
  model: string;
  limits: { concurrency: number; requestsPerMinute?: number; tokensPerMinute?: number };
  /** Calls that run or wait: who wants nothing gets nothing. */
  wanted: number;
  /**
   * Calls that run: nobody else gets their places before they end. Until the claim is answered no more than these may
   * run.
   */
  inUse: number;
  /** How long the share holds unless it is claimed again. */
  leaseMs: number;
}

export interface Share {
  /** No call may start while so many run. It may be fewer than run now: those go on. */
  concurrency: number;
  /** Absent where the model has no such limit. */
  requestsPerMinute?: number;
  tokensPerMinute?: number;
}
