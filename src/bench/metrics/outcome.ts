import type { SafetyLabel } from '../../debate/index.ts';
import type { Judged } from '../systems/results.ts';

/** What came of one item, as far as figures need to know. */
export interface Outcome {
  /** The right answer; null for a line so broken that it has none. */
  unsafe: boolean | null;
  said: SafetyLabel | 'failed';
  /** The calibrated probability where there is one, else the score; null when none was given. */
  score: number | null;
  /** The verdict's own score, which a calibration is fitted on and applied to. */
  rawScore: number | null;
}

/** The same with the item it came of, and all that was kept of its judgement. */
export interface ItemOutcome<Item> extends Outcome {
  /** Its number in the file. */
  line: number;
  /** Null for a broken line. */
  item: Item | null;
  /** Null when the item failed. */
  judged: Judged | null;
}
