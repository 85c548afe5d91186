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
  place: Place;
}

/** Characters of a block: of a table also its cell. */
export interface Place {
  /** `report.pdf#b12`. */
  block: string;
  /** In the document's text. */
  start: number;
  end: number;
  cell?: { row: number; column: number; address?: string };
}

export type NumberCheck =
  | 'growth'
  | 'margin'
  | 'share'
  | 'sum'
  | 'difference'
  | 'statement-against-table'
  | 'text-against-text'
  | 'units'
  | 'period'
  | 'direction';

/** What a number tool found: whether it holds, where, and its arithmetic. */
export interface NumberFinding {
  id: string;
  check: NumberCheck;
  outcome: 'holds' | 'conflict';
  /** One sentence for people. */
  statement: string;
  /** `(4.6 − 4.0) / 4.0 = 15.0 %, stated 51 %`. */
  arithmetic: string;
  /** Every place it stands on, the stated one first. */
  places: readonly Place[];
  /** By how much the stated and the computed value differ, in base units; 0 when it holds. */
  gap: number;
}
