/** Where a run stands. */
export interface Progress {
  judged: number;
  failed: number;
  /** Already done by an earlier run. */
  skipped: number;
  /** Items in all, once known. */
  total: number | null;
  running: number;
  /** Items a second over the last half minute. */
  rate: number;
  /** Seconds left, once the total is known. */
  etaSeconds: number | null;
}

const windowMs = 30_000;

/** Counts what a run does and tells how fast. */
export function progressMeter(now: () => number = () => performance.now()) {
  const started = now();
  const finishes: number[] = [];
  const counts = { judged: 0, failed: 0, skipped: 0, running: 0, total: null as number | null };
  return {
    counts,
    finish(outcome: 'judged' | 'failed') {
      counts[outcome] += 1;
      finishes.push(now());
    },
    report(): Progress {
      const from = Math.max(started, now() - windowMs);
      while (finishes.length > 0 && finishes[0]! < from) finishes.shift();
      const seconds = (now() - from) / 1000;
      const rate = seconds > 0 ? finishes.length / seconds : 0;
      const left = counts.total === null ? null : counts.total - counts.judged - counts.failed - counts.skipped;
      return { ...counts, rate, etaSeconds: left === null || rate === 0 ? null : left / rate };
    },
  };
}
