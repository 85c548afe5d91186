import type { SetFigures } from '../figures/set-figures.ts';
import type { ScoreSheet } from '../sheet.ts';
import type { Block } from './block.ts';

/** A set of data with all that was measured on it: what every report of the bench is made of. */
export interface MeasuredSet {
  sheet: ScoreSheet;
  figures: SetFigures;
  /** Tables of the job itself: those of the evaluation paper. */
  own: readonly Block[];
}
