import { randomNumbers } from '@agonhq/engine/statistics';

/** What happens on a day, all of it from one seed. Moments are milliseconds from its beginning. */
export interface DayPlan {
  seed: number;
  items: number;
  /** So many items are one row of the queue, with one outcome: a day of a hundred million is played in minutes. */
  grain: number;
  /** Rows of a slice. */
  slice: number;
  workers: number;
  /** Items a second, of one worker. */
  pace: number;
  heartbeatMs: number;
  /** How often items are put, and lost workers are looked for. */
  tickMs: number;
  failures: readonly Failure[];
}

export type Failure =
  /** These workers are ended at one moment and come back after a while. */
  | { kind: 'workers'; what: string; atMs: number; awayMs: number; workers: readonly number[] }
  /** Nobody reaches the database. */
  | { kind: 'database'; what: string; atMs: number; awayMs: number }
  /** An item ends each worker that tries it. */
  | { kind: 'poison'; what: string; atMs: number; awayMs: 0 };

const hour = 3_600_000;
export const dayMs = 24 * hour;
/** Most come in the evening: three times as many as on average. */
const busiestHour = 20;
const quiet = 0.5;
const spreadHours = 2.71;

export function planDay(terms: Omit<DayPlan, 'failures'>): DayPlan {
  const random = randomNumbers(terms.seed);
  const all = Array.from({ length: terms.workers }, (_, worker) => worker);
  // Each worker is lost once in a day, whenever it is.
  const single: Failure[] = all.map((worker) => ({
    kind: 'workers',
    what: 'single workers',
    atMs: random() * dayMs,
    awayMs: 120_000,
    workers: [worker],
  }));
  return {
    ...terms,
    failures: [
      ...single,
      { kind: 'poison', what: 'an item that ends its worker', atMs: 11 * hour, awayMs: 0 },
      { kind: 'database', what: 'the database is away', atMs: 14 * hour, awayMs: 120_000 },
      {
        kind: 'workers',
        what: 'a third of the workers is lost at the busiest moment',
        atMs: busiestHour * hour,
        awayMs: 15 * 60_000,
        workers: all.filter((worker) => worker % 3 === 0),
      },
    ],
  };
}

/** Items a second at a moment of the day. */
export function rateAt(items: number, ms: number): number {
  const fromPeak = ms / hour - busiestHour;
  const bell = [fromPeak, fromPeak + 24].reduce((sum, hours) => sum + Math.exp(-((hours / spreadHours) ** 2)), 0);
  return (items / (dayMs / 1_000)) * (quiet + (3 - quiet) * bell);
}
