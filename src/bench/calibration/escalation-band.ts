import { wilsonInterval } from '../../statistics/index.ts';

/** A calibrated probability, and whether the verdict that came with it was wrong. */
export interface Trial {
  probability: number;
  wrong: boolean;
}

/** A verdict that may be wrong more often than this should be looked at. */
const tolerated = 0.25;
const fewest = 20;

/**
 * The probabilities around the threshold in which verdicts cannot be trusted alone. From the threshold outwards, on
 * either side, windows of neighbouring items (a twentieth of all, at least 20) are taken into the band as long as the
 * upper end of the 95 % Wilson interval of their error rate is above 25 %. Null when none is.
 */
export function escalationBand(trials: readonly Trial[], threshold: number): [number, number] | null {
  const size = Math.max(fewest, Math.ceil(trials.length / 20));
  const below = trials
    .filter(({ probability }) => probability < threshold)
    .toSorted((a, b) => b.probability - a.probability);
  const above = trials
    .filter(({ probability }) => probability >= threshold)
    .toSorted((a, b) => a.probability - b.probability);
  const low = lastInDoubt(below, size)?.probability ?? threshold;
  const high = lastInDoubt(above, size)?.probability ?? threshold;
  return low === threshold && high === threshold ? null : [low, high];
}

/** The outermost item of the windows that are in doubt, nearest first; undefined when the first window is not. */
function lastInDoubt(outwards: readonly Trial[], size: number): Trial | undefined {
  let end = 0;
  while (end < outwards.length) {
    // What is left over is too little to be a window of its own.
    const next = outwards.length - end < 2 * size ? outwards.length : end + size;
    const window = outwards.slice(end, next);
    if (wilsonUpperBound(window.filter(({ wrong }) => wrong).length, window.length) <= tolerated) break;
    end = next;
  }
  return outwards[end - 1];
}

/** The upper end of the 95 % Wilson score interval of a share; 1 where nothing was seen. */
export function wilsonUpperBound(count: number, total: number): number {
  return wilsonInterval(count, total)?.[1] ?? 1;
}
