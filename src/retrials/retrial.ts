import type { Answer } from '../debate/index.ts';
import type { Analysis } from '../jobs/documents/index.ts';

/** The version of the JSON shape of a retrial. */
export const retrialVersion = 1;

/** A case that was held again, and what came of it. */
export interface Retrial {
  version: typeof retrialVersion;
  how: 'replay' | 'appeal';
  /** The first trial. */
  of: string;
  /** What was different this time, in words. */
  changes: readonly string[];
  before: Outcome;
  after: Outcome;
  flipped: boolean;
  /** What moved, in the order of the trial. */
  differences: readonly Difference[];
  /** Entries that were recalled from the first trial, and those that were argued anew. */
  recalled: readonly string[];
  argued: readonly string[];
  /** What a reader must know. */
  notes: readonly string[];
  answer: Answer | Analysis;
}

/** What was decided. */
export interface Outcome {
  id: string;
  label: string;
  score: number | null;
  /** Whether a person should look at it; of a dossier, at one of its claims. */
  escalate: boolean;
  rule: { id: string; why: string };
  categories: readonly string[];
  /** Which model each seat was filled with. */
  models: Record<string, string>;
}

/** One entry, or one claim, as it was and as it is. */
export interface Difference {
  /** The entry's key, or the claim's id. */
  at: string;
  before: string;
  after: string;
}
