/* The library, and vectors by model. */

export interface Precedents {
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
