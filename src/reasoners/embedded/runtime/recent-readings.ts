/** The readings used last, up to a number of tokens altogether: a long text weighs more than a short one. */
export interface RecentReadings<Kept> {
  get(key: string): Kept | undefined;
  set(key: string, reading: Kept): void;
}

/** `mostTokens` is asked each time: who needs more for a while says so while readings are kept already. */
export function createRecentReadings<Kept extends { tokens: { length: number } }>(
  mostTokens: () => number,
): RecentReadings<Kept> {
  const readings = new Map<string, Kept>();
  const weightOf = ({ tokens }: Kept) => tokens.length + 16; // The embedding weighs, too.
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
      const most = mostTokens();
      if (weightOf(reading) > most / 4 || readings.has(key)) return;
      readings.set(key, reading);
      weight += weightOf(reading);
      for (const [oldest, old] of readings) {
        if (weight <= most) break;
        readings.delete(oldest);
        weight -= weightOf(old);
      }
    },
  };
}
