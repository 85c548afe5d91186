/** Workers on any number of machines, and the limits that they share. Only on PostgreSQL. */
export interface Fleet {
  /** A worker says that it is there, and what it does; what is not heard of for `deadAfterMs` is gone. */
  beat(worker: WorkerBeat): Promise<void>;
  leave(worker: string): Promise<void>;
  workers(): Promise<readonly WorkerRow[]>;
  /**
   * A worker's share of a model's limits. What all workers hold together never exceeds the limits: what one gives up
   * another may take; the share of a worker that is heard of no more is free when its lease has run out.
   */
  share(claim: ShareClaim): Promise<Share>;
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
