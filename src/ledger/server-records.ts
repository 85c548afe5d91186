/* What a server keeps in the ledger, beside cases and runs. */

/** A key as it is kept: of its secret only a hash. */
export interface ApiKeyRow {
  id: string;
  name: string;
  /** `sha256:…` of the secret. */
  secretHash: string;
  scopes: readonly string[];
  reviewer: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export interface KeyStore {
  keep(key: Omit<ApiKeyRow, 'lastUsedAt' | 'revokedAt'>): Promise<void>;
  find(id: string): Promise<ApiKeyRow | undefined>;
  /** The newest first. */
  list(): Promise<readonly ApiKeyRow[]>;
  /** Once: a second time changes nothing. */
  revoke(id: string): Promise<ApiKeyRow | undefined>;
  /** That these keys were used, and when. */
  touch(used: ReadonlyMap<string, Date>): Promise<void>;
}

/** What became of a request that came with an idempotency key. */
export interface IdempotencyRecord {
  /** Hash of the request. */
  request: string;
  state: 'running' | 'done';
  /** Where its answer can be asked for; null when it is made again. */
  location: string | null;
  claimedAt: Date;
}

export interface IdempotencyStore {
  /**
   * Null when the key is new and is now the caller's; else what is on record. A claim that is older than `staleMs`
   * and still running was left by a crash, and is taken over.
   */
  claim(owner: string, key: string, request: string, options: { staleMs: number }): Promise<IdempotencyRecord | null>;
  settle(owner: string, key: string, location: string | null): Promise<void>;
  /** The request failed: the key may be used again. */
  release(owner: string, key: string): Promise<void>;
  /** Takes away what was claimed before; says how many. */
  prune(before: Date): Promise<number>;
}

export interface WebhookRow {
  id: string;
  url: string;
  events: readonly string[];
  /** What deliveries are signed with: never shown again, never exported. */
  secret: string;
  createdAt: Date;
  disabledAt: Date | null;
  problem: string | null;
}

export interface DeliveryRow {
  id: string;
  webhook: string;
  event: string;
  payload: unknown;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  status: number | null;
  error: string | null;
  dueAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
}

export type DeliveryOutcome = Pick<DeliveryRow, 'id' | 'state' | 'status' | 'error' | 'dueAt' | 'attempts'>;

export interface WebhookStore {
  keep(webhook: Omit<WebhookRow, 'disabledAt' | 'problem'>): Promise<void>;
  find(id: string): Promise<WebhookRow | undefined>;
  list(): Promise<readonly WebhookRow[]>;
  disable(id: string, problem: string): Promise<void>;
  /** Takes `disable` back. */
  enable(id: string): Promise<void>;
  /** With its deliveries. */
  remove(id: string): Promise<void>;
  /** Puts deliveries on record, waiting from now on; one that is there already stays. */
  enqueue(deliveries: readonly Pick<DeliveryRow, 'id' | 'webhook' | 'event' | 'payload'>[]): Promise<void>;
  /** Puts one on record that has ended. */
  keepDelivery(delivery: DeliveryRow): Promise<void>;
  /**
   * Deliveries of a webhook that are due, each given to one caller only: nobody else gets it before `leaseMs` have
   * passed.
   */
  due(webhook: string, limit: number, leaseMs: number): Promise<readonly DeliveryRow[]>;
  /** What came of attempts: delivered, failed for good, or to be tried again at `dueAt`. */
  settle(outcomes: readonly DeliveryOutcome[]): Promise<void>;
  /** All that wait for a webhook fail for good. */
  abandon(webhook: string, error: string): Promise<void>;
  /** Whether the last so many deliveries of a webhook that have ended all failed. */
  failedLast(webhook: string, count: number): Promise<boolean>;
  findDelivery(id: string): Promise<DeliveryRow | undefined>;
  /** The newest first. */
  deliveries(
    webhook: string,
    options: { state?: DeliveryRow['state']; limit: number; after?: string | null },
  ): Promise<{ rows: readonly DeliveryRow[]; next: string | null }>;
  /**
   * Takes away what ended before, or has waited since before for a webhook that nobody knows any more; says how many.
   */
  prune(before: Date): Promise<number>;
}

export interface PolicyRow {
  hash: string;
  name: string;
  version: string;
  document: unknown;
  /** Null for what is older than this column. */
  keptAt: Date | null;
}

export interface PolicyStore {
  keep(policy: Pick<PolicyRow, 'hash' | 'name' | 'version' | 'document'>): Promise<void>;
  find(hash: string): Promise<PolicyRow | undefined>;
  /** Those whose hash begins so. */
  beginning(prefix: string): Promise<readonly PolicyRow[]>;
  /** With how many cases were judged by each; the newest first. Without their documents. */
  list(): Promise<readonly (Omit<PolicyRow, 'document'> & { cases: number })[]>;
  /** The one that was activated last; undefined when none ever was. */
  active(): Promise<PolicyRow | undefined>;
  activate(hash: string, by: string | null): Promise<void>;
}
