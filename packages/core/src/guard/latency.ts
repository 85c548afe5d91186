import { quantile } from '@agonhq/engine/statistics';

/** What is measured: a prompt's verdict, a sentence's, and how much later the first text left. */
const measured = ['prompt', 'sentence', 'firstText'] as const;
type Measured = (typeof measured)[number];

export interface LatencySummary {
  count: number;
  p50: number;
  p95: number;
}

export type GuardStats = Record<Measured, LatencySummary | null>;

/** The latest are enough for medians, and a guard may live for months. */
const mostSamples = 5_000;

export interface Stopwatch {
  note(what: Measured, ms: number): void;
  stats(): GuardStats;
}

export function createStopwatch(): Stopwatch {
  const samples: Record<Measured, number[]> = { prompt: [], sentence: [], firstText: [] };
  return {
    note(what, ms) {
      samples[what].push(ms);
      if (samples[what].length > mostSamples) samples[what].shift();
    },
    stats: () => ({
      prompt: summarize(samples.prompt),
      sentence: summarize(samples.sentence),
      firstText: summarize(samples.firstText),
    }),
  };
}

function summarize(samples: readonly number[]): LatencySummary | null {
  if (samples.length === 0) return null;
  return { count: samples.length, p50: quantile(samples, 0.5)!, p95: quantile(samples, 0.95)! };
}

const names: Record<Measured, string> = {
  prompt: 'judging a prompt',
  sentence: 'judging a sentence',
  firstText: 'first text later by',
};

/**
 * What the guard has cost so far, for a terminal or a log.
 *
 * @example
 * console.log(renderGuardStats(guard.stats()))
 * // judging a prompt     p50  21 ms   p95  38 ms   of 120
 */
export function renderGuardStats(stats: GuardStats): string {
  return measured
    .map((what) => {
      const one = stats[what];
      const figures = one ? `p50 ${inMs(one.p50)}   p95 ${inMs(one.p95)}   of ${one.count}` : 'nothing yet';
      return `${names[what].padEnd(20)} ${figures}`;
    })
    .join('\n');
}

const inMs = (ms: number) => `${String(Math.round(ms)).padStart(5)} ms`;
