import type { Measured, WatchCounts } from '../index.ts';
import type { WatchFinding, WatchRule } from './watched.ts';

/** A figure of some cases: what it is, how many cases say it, and what its variance is by them. */
export interface ComparedReading {
  value: number;
  /** Cases behind it. */
  count: number;
  /** Of one case. */
  variance: number;
}

const readShare = (part: number, count: number): ComparedReading => {
  const value = count === 0 ? 0 : part / count;
  return { value, count, variance: value * (1 - value) };
};

const readMean = ({ count, sum, squares }: Measured): ComparedReading => {
  const value = count === 0 ? 0 : sum / count;
  const variance = count < 2 ? 0 : Math.max(0, (squares - count * value ** 2) / (count - 1));
  return { value, count, variance };
};

const readings: Record<WatchRule['figure'], (counts: WatchCounts) => ComparedReading> = {
  flagged: ({ flagged, cases }) => readShare(flagged, cases),
  undecided: ({ undecided, cases }) => readShare(undecided, cases),
  escalated: ({ escalated, cases }) => readShare(escalated, cases),
  degraded: ({ degraded, cases }) => readShare(degraded, cases),
  overridden: ({ overridden, decided }) => readShare(overridden, decided),
  risk: ({ risk }) => readMean(risk),
  cost: ({ cost }) => readMean(cost),
  latency: ({ latency }) => readMean(latency),
  // How many come in a window: a Poisson count, whose variance is its mean.
  cases: ({ cases }) => ({ value: cases, count: cases, variance: cases }),
};

/** What a figure is in a window. */
export function readFigure(figure: WatchRule['figure'], counts: WatchCounts): ComparedReading {
  return readings[figure](counts);
}

/**
 * How many standard errors a figure is from what it was: for shares the two-proportion test with the pooled share, for
 * means that of Welch, for counts that of two Poisson rates. Null where there is nothing to tell apart.
 */
export function measureDrift(
  figure: WatchRule['figure'],
  now: ComparedReading,
  before: ComparedReading,
  windows: number,
) {
  if (figure === 'cases') {
    const expected = before.value / windows;
    const error = Math.sqrt(expected + expected / windows);
    return error === 0 ? null : (now.value - expected) / error;
  }
  if (now.count === 0 || before.count === 0) return null;
  const isMean = figure === 'risk' || figure === 'cost' || figure === 'latency';
  const pooled = (now.value * now.count + before.value * before.count) / (now.count + before.count);
  const spread = pooled * (1 - pooled);
  const error = isMean
    ? Math.sqrt(now.variance / now.count + before.variance / before.count)
    : Math.sqrt(spread / now.count + spread / before.count);
  return error === 0 ? null : (now.value - before.value) / error;
}

type Outcome = { fires: boolean | null } & Pick<WatchFinding, 'now' | 'cases' | 'before' | 'casesBefore' | 'z' | 'why'>;

/** Whether a rule is broken by a window, held against those before; null where there is too little to say. */
export function testWindow({ figure, test }: WatchRule, now: ComparedReading, before: ComparedReading | null): Outcome {
  const found = { now: now.value, cases: now.count };
  if (test.kind === 'bound') {
    const { above, below, least } = test;
    const isAbove = above !== null && now.value > above;
    const isBelow = below !== null && now.value < below;
    const why = isAbove ? `above ${above}` : isBelow ? `below ${below}` : 'within its bounds';
    // That nothing comes in is what a lower bound on the number of cases is for.
    const fires = figure !== 'cases' && now.count < least ? null : isAbove || isBelow;
    return { fires, ...found, before: null, casesBefore: null, z: null, why };
  }
  const old = before ?? { value: 0, count: 0, variance: 0 };
  const usual = figure === 'cases' ? old.value / test.windows : old.value;
  const z = measureDrift(figure, now, old, test.windows);
  const tooFew = figure === 'cases' ? old.count < test.least : now.count < test.least || old.count < test.least;
  const change = now.value - usual;
  const turned = test.direction === 'up' ? change > 0 : test.direction === 'down' ? change < 0 : true;
  const fires = tooFew ? null : z !== null && Math.abs(z) >= test.z && Math.abs(change) >= test.change && turned;
  const why = z === null ? 'as it was' : `${Math.abs(z).toFixed(1)} standard errors ${change > 0 ? 'above' : 'below'}`;
  return { fires, ...found, before: usual, casesBefore: old.count, z, why };
}
