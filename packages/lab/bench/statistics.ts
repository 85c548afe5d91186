import { meanOf, quantile } from '@agonhq/engine/statistics';

/** Of what was measured at least once. */
export function percentile(values: readonly number[], share: number): number {
  return quantile(values, share) ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return meanOf(values) ?? Number.NaN;
}
