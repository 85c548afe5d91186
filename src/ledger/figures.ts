/** Finished cases with the same label, categories and models, in figures. */
export interface CaseFigures {
  label: string;
  categories: readonly string[];
  models: readonly string[];
  cases: number;
  escalated: number;
  degraded: number;
  /** Of those whose price is known. */
  costUsd: number;
  priced: number;
  /** Of those that have one, to four digits, in no order. */
  disagreements: readonly number[];
  /** Likewise, to the millisecond. */
  latenciesMs: readonly number[];
}

/** A case that was decided by people or by labelled data. */
export interface DecidedCase {
  id: string;
  verdict: string;
  score: number | null;
  probability: number | null;
  /** In the order they were made: the last one stands. */
  decisions: readonly { label: 'safe' | 'unsafe'; by: string }[];
}

/** Some of the cases of a time. */
export interface FigureSlice {
  groups: readonly CaseFigures[];
  decided: readonly DecidedCase[];
}

export interface Figures {
  /**
   * What finished cases that were opened from one moment up to another came to, without replays, a few thousand cases
   * at a time: between two of them others have their turn.
   */
  between(time: { from: Date; to: Date; job?: string }): AsyncIterable<FigureSlice>;
}
