/** A probability of being unsafe, and what was true. */
export interface Forecast {
  probability: number;
  unsafe: boolean;
}

const bins = 10;

/**
 * Expected calibration error over ten bins of equal width: how far the mean probability of a bin lies from the share
 * of unsafe items in it, weighted by the bin's items.
 */
export function expectedCalibrationError(forecasts: readonly Forecast[]): number | null {
  if (forecasts.length === 0) return null;
  const byBin = Map.groupBy(forecasts, ({ probability }) => Math.min(bins - 1, Math.floor(probability * bins)));
  const gaps = [...byBin.values()].map((bin) => Math.abs(sum(bin.map(({ probability, unsafe }) => probability - Number(unsafe)))));
  return sum(gaps) / forecasts.length;
}

/** The mean square of what a probability was off by. */
export function brierScore(forecasts: readonly Forecast[]): number | null {
  if (forecasts.length === 0) return null;
  return sum(forecasts.map(({ probability, unsafe }) => (probability - Number(unsafe)) ** 2)) / forecasts.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
