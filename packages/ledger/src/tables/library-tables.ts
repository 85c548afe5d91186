import type { Generated } from 'kysely';

/* Policies and precedents, and vectors by model. */

export interface Policies {
  hash: string;
  version: number;
  name: string;
  policy_version: string;
  document: string;
  /** Null for what is older than this column. */
  kept_at: string | null;
}

export interface Activations {
  position: Generated<number>;
  policy: string;
  activated_by: string | null;
  activated_at: string;
}

export interface PrecedentRows {
  id: string;
  version: number;
  label: 'safe' | 'unsafe';
  category: string | null;
  state: 'active' | 'proposed' | 'retired' | 'overruled';
  /** The content it was learnt from. */
  subject: string | null;
  precedent: string;
  hash: string;
}

export interface PrecedentVectors {
  /** Of the library: a row of the ledger, or a seed. */
  precedent: string;
  model: string;
  data: Uint8Array;
  /** As pgvector reads it, where there is pgvector. */
  embedding?: string | null;
}
