import type { PrecedentLesson, PrecedentModality } from '@agonhq/engine/debate';
import type { Fingerprint } from '@agonhq/engine/fingerprint';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';

/** A decided case as the library keeps it. Its text never changes: another text is another precedent. */
export interface KeptPrecedent {
  id: string;
  label: 'safe' | 'unsafe';
  /** A category of the policy; null for a safe case that looks like none. */
  category: string | null;
  /** The clause it was decided under, or of which it is a benign look-alike. */
  clause: string | null;
  summary: string;
  cues: readonly string[];
  /** What made it safe or unsafe. */
  why: string;
  /** The text that stands for it in searches: its source, or an excerpt of it. */
  text: string;
  /** What the case consisted of; absent where nobody said. */
  modality?: PrecedentModality;
  /** What stands for the pixels of its images: copies of them are found by it. */
  pictures?: readonly Fingerprint[];
  /** `version` of the policy it was decided under; null for the seeds. */
  policy: { name: string; version: string; hash: string } | null;
  provenance: PrecedentProvenance;
  confirmedBy: string;
  state: 'active' | 'proposed' | 'retired' | 'overruled';
  /** Which precedent took its place, or why it was taken away. */
  overruledBy: string | null;
  expiresAt: string | null;
  createdAt: string;
}

export interface PrecedentProvenance {
  kind: 'seed' | 'learnt' | 'imported';
  /** The case it was learnt from, and that case's content. */
  case?: string;
  subject?: string;
  /** The data set it comes from, when one was judged: never retrieved while that set is scored. */
  dataset?: string;
  /** Batch of the learning experiment. */
  batch?: number;
  /** Who wrote it: the curator's model. */
  curator?: string;
  /** What it was learnt from: a verdict that was wrong, or one that the truth confirmed. */
  lesson?: PrecedentLesson;
}

export type Embed = (text: string, options?: { signal?: AbortSignal }) => Promise<Float32Array>;

/** Who turns a text into a vector. `model` names it: vectors of two models are never compared. */
export interface Embedder {
  model: string;
  /** Null while no vector was made. */
  readonly dimensions: number | null;
  embed: Embed;
  /** Many at once, in their order, where that is cheaper. */
  embedMany?(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  /**
   * How alike its vectors are of two texts that have nothing to do with each other; found out from the library's own
   * vectors when absent.
   */
  background?: number;
  /** Below this a case is not alike, on a scale on which the background is 0; found out likewise when absent. */
  leastSimilarity?: number;
  /** The seeds' vectors ship with the model, so a store need not keep them. */
  knowsSeeds?: boolean;
}

/** Where precedents are kept; the ledger implements it. */
export interface PrecedentStore {
  /** Inserts, or replaces the one with the same id. */
  keepPrecedents(precedents: readonly KeptPrecedent[]): Promise<void>;
  /**
   * The same while the store is still in the state that `version` named; returns its new version, or null when it had
   * changed and nothing was kept.
   */
  keepPrecedentsIf(version: string, precedents: readonly KeptPrecedent[], once?: KeyedRequest): Promise<string | null>;
  findPrecedent(id: string): Promise<KeptPrecedent | undefined>;
  /**
   * By id, from after one on. With `search`, in small letters, what does not hold it may be left out: a help for
   * whoever looks for it.
   */
  listPrecedents(filter?: {
    state?: KeptPrecedent['state'];
    category?: string;
    label?: KeptPrecedent['label'];
    after?: string;
    search?: string;
  }): AsyncIterable<KeptPrecedent>;
  /** Which of these it has. */
  findKnownIds(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Names the state of the store: changes whenever a precedent does. Cheap. */
  readVersion(): Promise<string>;
  /**
   * Vectors by precedent and model: of these precedents, or of all. The seeds' may be among them, which are no rows
   * of the store.
   */
  readVectors(model: string, ids?: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Which precedents have a vector of this model, where that is cheaper than the vectors themselves. */
  listEmbedded?(model: string): Promise<ReadonlySet<string>>;
  keepVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** The nearest by a vector index of the database; absent where it has none. */
  findNearest?(
    model: string,
    wanted: Float32Array,
    limit: number,
  ): Promise<readonly { id: string; similarity: number }[]>;
}
