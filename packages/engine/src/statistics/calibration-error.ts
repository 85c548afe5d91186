import { wilsonInterval } from './binomial.ts';
import { countEachOnce, type ResampleWeights } from './bootstrap.ts';
import type { Interval } from './binomial.ts';
import { ratio, tenthOf } from './summaries.ts';

/** A probability of being positive, and whether that came true. */
export interface Forecast {
  probability: number;
  positive: boolean;
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
export function sortForecasts(forecasts: readonly (Forecast | null)[]): Forecasts {
  const known = forecasts
    .flatMap((forecast, item) => (forecast ? [{ ...forecast, item, bin: tenthOf(forecast.probability) }] : []))
    .toSorted((a, b) => a.bin - b.bin);
  return {
    items: Uint32Array.from(known, ({ item }) => item),
    excess: Float64Array.from(known, ({ probability, positive }) => probability - Number(positive)),
    ends: Array.from({ length: bins }, (_, bin) => known.filter((forecast) => forecast.bin <= bin).length),
  };
}

export function calibrationFigures(
  { items, excess, ends }: Forecasts,
  weights: ResampleWeights,
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
 * of positive items in it, weighted by the bin's items.
 */
export function expectedCalibrationError(forecasts: readonly Forecast[]): number | null {
  return calibrationFigures(sortForecasts(forecasts), countEachOnce(forecasts.length)).ece;
}

/** The mean square of what a probability was off by. */
export function brierScore(forecasts: readonly Forecast[]): number | null {
  return calibrationFigures(sortForecasts(forecasts), countEachOnce(forecasts.length)).brier;
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
    const own = forecasts.filter(({ probability }) => tenthOf(probability) === bin);
    const positives = own.filter(({ positive }) => positive).length;
    return {
      from: bin / bins,
      to: (bin + 1) / bins,
      items: own.length,
      meanProbability: ratio(
        own.reduce((total, { probability }) => total + probability, 0),
        own.length,
      ),
      share: ratio(positives, own.length),
      interval: wilsonInterval(positives, own.length),
    };
  });
}
