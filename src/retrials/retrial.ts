import type { CaseSummary, Difference, JobAnswer } from '../jobs/index.ts';

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
  answer: JobAnswer;
}

/** What was decided, and by whom. */
export interface Outcome extends CaseSummary {
  id: string;
  /** Which model each seat was filled with. */
  models: Record<string, string>;
}
