import type { Expected } from './mean-interval.ts';

/** What a run would take, told by a sample of its input. Dollars are null where a price is not known. */
export interface RunEstimate {
  version: 1;
  job: string;
  input: {
    /** Items that can be read, and lines that cannot. */
    items: number;
    broken: number;
    /** About how many different contents they have: as many are judged. */
    judged: number;
  };
  sample: {
    items: number;
    seed: number;
    /** Those that could not be judged, by the code of their error. */
    failed: Record<string, number>;
    /** Turns for which the stand-in had nothing to say (a language it cannot read): their rounds are argued in full. */
    unargued: number;
  };
  /** Of one judged item; what a cascade's first tier decides counts as nothing. */
  perItem: Spend;
  run: Spend;
  /** The same when the sides never agree early; null where nothing ends early anyway. */
  allRounds: Spend | null;
  /** Every round argued, every byte a token, every answer as long as it may be; retries and repairs excluded. */
  atMost: { calls: number; inputTokens: number; outputTokens: number; usd: number | null };
  byModel: readonly ModelShare[];
  bySeat: readonly SeatShare[];
  time: Duration;
  cascade: {
    debated: Expected;
    saved: { calls: number; inputTokens: number; outputTokens: number; usd: number | null };
  } | null;
  budget: BudgetOutlook | null;
  /** What was taken for granted, in sentences. */
  assumptions: readonly string[];
}

export interface Spend {
  calls: Expected;
  inputTokens: Expected;
  outputTokens: Expected;
  usd: Expected | null;
}

export interface ModelShare {
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  usd: number | null;
  atMostUsd: number | null;
}

export interface SeatShare {
  seat: string;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  usd: number | null;
  /** How many past turns the length of its answers was taken from; null when it was assumed. */
  pastTurns: number | null;
}

export interface Duration {
  seconds: number;
  /** What decides it. */
  bound: string;
  bounds: readonly { what: string; seconds: number }[];
}

export interface BudgetOutlook {
  usd: number | null;
  tokens: number | null;
  /**
   * `surely`: even at most; `likely`: with all rounds argued, at the upper end of the interval; `no`: less than that;
   * `unknown`: a price is not known.
   */
  covers: 'surely' | 'likely' | 'no' | 'unknown';
  /** About how many items it covers, where it does not cover all. */
  items: number | null;
}
