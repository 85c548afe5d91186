import type { Kysely, Transaction } from 'kysely';
import type { Notices } from '../postgres/notices.ts';
import type { Tables } from '../schema/tables.ts';

export type Kind = 'sqlite' | 'postgresql';

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

/** Does some work in a transaction, and answers when it is on disk. */
export type Write = <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>;

/** A database that was opened and brought up to date: what the stores are written against. */
export interface Database {
  readonly kind: Kind;
  readonly place: string;
  readonly db: Db;
  readonly write: Write;
  /** Whether it has a vector index (pgvector). */
  readonly vectors: boolean;
  /**
   * The schema that it had when it was opened, where that was brought up to date; null where there was nothing to do.
   */
  readonly upgradedFrom: number | null;
  /** Absent where it serves one machine. */
  readonly notices?: Notices;
  /** Another connection that sees one moment for as long as it is used. */
  snapshot(): Promise<AsyncDisposable & { db: Db }>;
  bytes(): Promise<number | null>;
  /** Takes what was deleted out of files as well, as far as the database can. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}
