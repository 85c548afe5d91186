export interface SharedReadOptions {
  signal?: AbortSignal;
}

const usuallyKept = 100_000;
const asked = new Set<{ tokens: number }>();

/**
 * Keeps more of what the models have read, so that texts which several systems read one after another are computed
 * once: so many tokens of each model, about 40 bytes each and 3 kB a text. Returns how to end it.
 *
 * @example const forget = rememberReadings(2_000_000)
 */
export function rememberReadings(tokens: number): () => void {
  const ask = { tokens };
  asked.add(ask);
  return () => {
    asked.delete(ask);
  };
}

function mostKept(): number {
  return Math.max(usuallyKept, ...Array.from(asked, ({ tokens }) => tokens));
}

/** Who asks for the same text gets the same reading; the work stops when nobody waits for it any more. */
export function shareReadings<Kept extends { tokens: { length: number } }>(): (
  key: string,
  readNow: (signal: AbortSignal) => Promise<Kept>,
  options?: SharedReadOptions,
) => Promise<Kept> {
  const recent = createRecentReadings<Kept>(mostKept);
  const underWay = new Map<string, { reading: Promise<Kept>; waiters: number; stop: AbortController }>();

  return async (key, readNow, { signal } = {}) => {
    signal?.throwIfAborted();
    const cached = recent.get(key);
    if (cached) return cached;
    let work = underWay.get(key);
    if (!work) {
      const stop = new AbortController();
      work = { reading: readNow(stop.signal), waiters: 0, stop };
      underWay.set(key, work);
      const forget = () => {
        if (underWay.get(key)?.stop === stop) underWay.delete(key);
      };
      void work.reading
        .then(
          (reading) => recent.set(key, reading),
          () => undefined,
        )
        .then(forget);
    }
    const { reading, stop } = work;
    work.waiters += 1;
    try {
      return await (signal ? Promise.race([reading, rejection(signal)]) : reading);
    } finally {
      work.waiters -= 1;
      if (work.waiters === 0 && signal?.aborted) {
        stop.abort(signal.reason);
        if (underWay.get(key) === work) underWay.delete(key);
      }
    }
  };
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}

/** The readings used last, up to a number of tokens altogether: a long text weighs more than a short one. */
interface RecentReadings<Kept> {
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
