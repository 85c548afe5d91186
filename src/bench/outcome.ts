import type { SafetyLabel } from '../debate/index.ts';

/** What came of one item. */
export interface Outcome {
  /** The right answer; null for a line so broken that it has none. */
  unsafe: boolean | null;
  said: SafetyLabel | 'failed';
  /** The calibrated probability where there is one, else the score; null when none was given. */
  score: number | null;
  /** The verdict's own score, which a calibration is fitted on and applied to. */
  rawScore: number | null;
  category: string | null;
  looksLikeRefusal: boolean;
}
