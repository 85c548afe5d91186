import type { Generated } from 'kysely';
import type { Kind } from '../database/database.ts';
import type { ForgettingName, RecordKindName } from '../records/record-kinds.ts';
import type { WorkerBeat } from '../runs/workers.ts';
import { caseIndexes, caseTables } from './case-schema.ts';
import { listingTables, listListingIndexes } from './listing-schema.ts';
import { runIndexes, runTables } from './run-schema.ts';
import { serverIndexes, serverTables } from './server-schema.ts';
import { createTable, type RowOf, type LedgerTable } from './table.ts';

const tables = { ...caseTables, ...runTables, ...listingTables, ...serverTables };

/** Every table of a ledger, those first that others refer to. */
export const ledgerTables = Object.keys(tables) as readonly (keyof Tables)[];

export const listSchema = (kind: Kind): string[] => [
  ...Object.entries<LedgerTable>(tables).flatMap(([name, each]) => createTable(name, each, kind)),
  ...caseIndexes,
  ...runIndexes,
  ...listListingIndexes(kind),
  ...serverIndexes,
];

/** Where columns hold less than their types say, or more. */
interface Narrowed {
  debates: { again_how: 'replay' | 'appeal' | 'shadow' | null };
  listing: {
    stage: 'first' | 'second' | 'dispute' | 'done' | null;
    /** Never read back, since they are larger than a number can be. */
    pairs_1: bigint | null;
    pairs_2: bigint | null;
    pairs_3: bigint | null;
    pairs_4: bigint | null;
  };
  decisions: { label: 'safe' | 'unsafe' };
  precedents: { label: 'safe' | 'unsafe'; state: 'active' | 'proposed' | 'retired' | 'overruled' };
  /** As pgvector reads it, where there is pgvector. */
  precedent_vectors: { embedding?: string | null };
  known_images: { state: 'waiting' | 'reported' | 'dismissed' };
  record_leaves: { kind: RecordKindName | ForgettingName };
  runs: { state: 'running' | 'stopped' | 'finished' | 'failed' | 'cancelled' };
  run_items: {
    state: 'waiting' | 'running' | 'done' | 'failed' | 'same';
    decided_by: 'debate' | 'guard' | null;
    alone: Generated<number>;
  };
  workers: Pick<WorkerBeat, 'state'>;
  benches: { state: 'running' | 'done' | 'stopped' | 'failed' };
  annotation_items: { state: 'open' | 'disputed' | 'agreed' | 'adjudicated' };
  idempotency_keys: { state: 'running' | 'done' };
  deliveries: { state: 'waiting' | 'delivered' | 'failed' };
}

type Written = { [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]['columns']> };

/** The rows of each table. */
export type Tables = {
  [Name in keyof Written]: Name extends keyof Narrowed
    ? Omit<Written[Name], keyof Narrowed[Name]> & Narrowed[Name]
    : Written[Name];
};
