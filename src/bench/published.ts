/** A figure that somebody published on a set of data. */
export interface Published {
  system: string;
  /** `f1`, `accuracy`, `balancedAccuracy`. */
  metric: string;
  value: number;
  /** Where it was published. */
  source: string;
}
