/** A decided case with its cues, retrieved for similar cases. */
export interface Precedent {
  id: string;
  label: 'safe' | 'unsafe';
  /** A category of the policy. */
  category: string | null;
  summary: string;
  cues: readonly string[];
  /** How alike it is to the case at hand, 0 to 1. */
  similarity: number;
}

export interface PrecedentQuery {
  text: string;
  /** At most this many, the most alike first. */
  limit: number;
  signal: AbortSignal;
}

/** Where precedents come from. `version` names the state of the library: it is part of a verdict's provenance. */
export interface PrecedentLibrary {
  version: string;
  search(query: PrecedentQuery): Promise<readonly Precedent[]>;
}
