import type { Analysis } from '../analysis-schema.ts';

/** A number as a document states it. */
export interface Quantity {
  /** In base units: 3.2 million is 3200000; 15 % is 0.15 with the unit `%`. */
  value: number;
  /** As it stands in the text. */
  text: string;
  /** `USD`, `EUR`, `%`, `pp`, `units`, `employees`, …; null when none is stated. */
  unit: string | null;
  /** How much the rounding of the text leaves open, in base units. */
  precision: number;
  /** `Q3 2024`, `FY2023`, `2024-06-30`; null when none is stated. */
  period: string | null;
  /** What it measures: the words of its row and column headers, or of its sentence. */
  measure: string;
  place: NumberPlace;
}

/** What a number tool found: whether it holds, where, and its arithmetic. */
export type NumberFinding = Analysis['numbers'][number];
export type NumberCheck = NumberFinding['check'];
/** Characters of a block: of a table also its cell. */
export type NumberPlace = NumberFinding['places'][number];
