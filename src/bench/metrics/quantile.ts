/** The smallest value that at least a share of all values do not exceed (nearest rank); null when there are none. */
export function quantile(values: readonly number[], share: number): number | null {
  return quantiles(values, [share])[0]!;
}

/** Several of the same values, sorted once. */
export function quantiles(values: readonly number[], shares: readonly number[]): (number | null)[] {
  const sorted = Float64Array.from(values).sort();
  return shares.map(
    (share) => sorted[Math.min(sorted.length, Math.max(1, Math.ceil(share * sorted.length))) - 1] ?? null,
  );
}
