export type Interval = [number, number];

/** A figure with its 95 % interval. */
export interface Estimate {
  value: number | null;
  interval: Interval | null;
}
