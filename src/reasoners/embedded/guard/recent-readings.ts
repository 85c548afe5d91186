import type { GuardReading } from './reading.ts';

/** The readings used last, up to a number of tokens altogether: a long text weighs more than a short one. */
export interface RecentReadings {
  get(key: string): GuardReading | undefined;
  set(key: string, reading: GuardReading): void;
}

export function createRecentReadings(mostTokens: number): RecentReadings {
  const readings = new Map<string, GuardReading>();
  const weightOf = ({ tokens }: GuardReading) => tokens.length + 16; // The embedding weighs, too.
  let weight = 0;
  return {
    get(key) {
      const reading = readings.get(key);
      if (reading) {
        readings.delete(key);
        readings.set(key, reading);
      }
      return reading;
    },
    set(key, reading) {
      if (weightOf(reading) > mostTokens / 4 || readings.has(key)) return;
      readings.set(key, reading);
      weight += weightOf(reading);
      for (const [oldest, old] of readings) {
        if (weight <= mostTokens) break;
        readings.delete(oldest);
        weight -= weightOf(old);
      }
    },
  };
}
