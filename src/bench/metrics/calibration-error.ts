import type { Interval } from './bootstrap.ts';
import { ratio } from './ratio.ts';
import { eachOnce, type Weights } from './resamples.ts';
import { wilsonInterval } from './wilson.ts';

/** A probability of being unsafe, and what was true. */
export interface Forecast {
  probability: number;
  unsafe: boolean;
}

const bins = 10;

/** Forecasts as numbers, from the lowest bin up, sorted once for all resamples. */
export interface Forecasts {
  /** Their places in the data. */
  items: Uint32Array;
  /** By how much each probability exceeds what was true. */
  excess: Float64Array;
  /** Where each bin ends. */
  ends: readonly number[];
}

/** Of the items that have a forecast. */
export function forecastsOf(forecasts: readonly (Forecast | null)[]): Forecasts {
  const known = forecasts
    .flatMap((forecast, item) => (forecast ? [{ ...forecast, item, bin: binOf(forecast.probability) }] : []))
    .toSorted((a, b) => a.bin - b.bin);
  return {
    items: Uint32Array.from(known, ({ item }) => item),
    excess: Float64Array.from(known, ({ probability, unsafe }) => probability - Number(unsafe)),
    ends: Array.from({ length: bins }, (_, bin) => known.filter((forecast) => forecast.bin <= bin).length),
  };
}

export function calibrationFigures(
  { items, excess, ends }: Forecasts,
  weights: Weights,
): { ece: number | null; brier: number | null } {
  let [all, gaps, squares, place] = [0, 0, 0, 0];
  for (const end of ends) {
    let gap = 0;
    for (; place < end; place++) {
      const weight = weights[items[place]!]!;
      const weighed = weight * excess[place]!;
      all += weight;
      gap += weighed;
      squares += weighed * excess[place]!;
    }
    gaps += Math.abs(gap);
  }
  return { ece: ratio(gaps, all), brier: ratio(squares, all) };
}

/**
 * Expected calibration error over ten bins of equal width: how far the mean probability of a bin lies from the share
 * of unsafe items in it, weighted by the bin's items.
 */
export function expectedCalibrationError(forecasts: readonly Forecast[]): number | null {
  return calibrationFigures(forecastsOf(forecasts), eachOnce(forecasts.length)).ece;
}

/** The mean square of what a probability was off by. */
export function brierScore(forecasts: readonly Forecast[]): number | null {
  return calibrationFigures(forecastsOf(forecasts), eachOnce(forecasts.length)).brier;
}

/** The same over ten bins of equally many items; those with one probability stay together. */
export function equalMassCalibrationError(forecasts: readonly Forecast[]): number | null {
  if (forecasts.length === 0) return null;
  const sorted = forecasts.toSorted((a, b) => a.probability - b.probability);
  let [total, start] = [0, 0];
  for (let bin = 1; bin <= bins; bin++) {
    let end = Math.max(start, Math.floor((bin * sorted.length) / bins));
    while (end > start && end < sorted.length && sorted[end]!.probability === sorted[end - 1]!.probability) end += 1;
    total += Math.abs(
      sorted.slice(start, end).reduce((gap, { probability, unsafe }) => gap + probability - Number(unsafe), 0),
    );
    start = end;
  }
  return total / forecasts.length;
}

export interface ReliabilityBin {
  from: number;
  to: number;
  items: number;
  meanProbability: number | null;
  share: number | null;
  /** Wilson, of the share. */
  interval: Interval | null;
}

/** The ten bins of the calibration error: what was foretold beside what came true. */
export function reliabilityBins(forecasts: readonly Forecast[]): ReliabilityBin[] {
  return Array.from({ length: bins }, (_, bin) => {
    const own = forecasts.filter(({ probability }) => binOf(probability) === bin);
    const unsafe = own.filter((forecast) => forecast.unsafe).length;
    return {
      from: bin / bins,
      to: (bin + 1) / bins,
      items: own.length,
      meanProbability: ratio(
        own.reduce((total, { probability }) => total + probability, 0),
        own.length,
      ),
      share: ratio(unsafe, own.length),
      interval: wilsonInterval(unsafe, own.length),
    };
  });
}

/** A probability of 1 is in the last bin. */
function binOf(probability: number): number {
  return Math.max(0, Math.min(bins - 1, Math.floor(probability * bins)));
}
