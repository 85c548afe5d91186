/** Scores up to `safeUpTo` are safe, those from `unsafeFrom` are unsafe, and what lies between is debated. */
export interface CascadeBounds {
  /** Null: nothing is called safe by the guard alone. */
  safeUpTo: number | null;
  unsafeFrom: number | null;
}

/**
 * What the first tier of a cascade, the embedded guard, may decide alone. The bounds were chosen on labelled data so
 * that, with the stated confidence, at most the stated share of what it decides is wrong.
 */
export interface Cascade extends CascadeBounds {
  version: 1;
  job: string;
  /** Hash of what gave the scores (the first tier's setup): bounds of another guard mean nothing here. */
  guard: string;
  /** At most this share of the decided items is wrong … */
  risk: number;
  /** … with this confidence. */
  confidence: number;
  fitted: {
    /** Hash of the labelled data. */
    data: string;
    items: number;
    decided: number;
    wrong: number;
    /**
     * The exact upper bound of the risk at the level that this band was tested at: `risk` at most, which is what is
     * promised.
     */
    bound: number;
    /** The promise is for both sides together: what each has of the mistakes. */
    sides: Record<'safe' | 'unsafe', { decided: number; wrong: number }>;
  };
}
