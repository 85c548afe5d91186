/** Null where there was nothing to measure. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The mean; null without values, or where one of them is missing. */
export function meanOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum / values.length;
}

/** Over all values that there are (divided by n, not n − 1); null where the mean is. */
export function standardDeviation(values: readonly (number | null)[]): number | null {
  const mean = meanOf(values);
  if (mean === null) return null;
  return Math.sqrt(meanOf(values.map((value) => (value! - mean) ** 2))!);
}

/** The smallest value that at least a share of all values do not exceed (nearest rank); null when there are none. */
export function quantile(values: readonly number[], share: number): number | null {
  return quantiles(values, [share])[0]!;
}

/** Several quantiles of the same values, sorted once. */
export function quantiles(values: readonly number[], shares: readonly number[]): (number | null)[] {
  const sorted = Float64Array.from(values).sort();
  return shares.map(
    (share) => sorted[Math.min(sorted.length, Math.max(1, Math.ceil(share * sorted.length))) - 1] ?? null,
  );
}

/** The same of values by how often each came: exact without keeping every one. */
export function quantilesOfCounts(counts: ReadonlyMap<number, number>, shares: readonly number[]): (number | null)[] {
  const values = [...counts].toSorted(([a], [b]) => a - b);
  const all = values.reduce((sum, [, count]) => sum + count, 0);
  return shares.map((share) => {
    let passed = 0;
    for (const [value, count] of values) {
      passed += count;
      if (passed >= Math.max(1, Math.ceil(share * all))) return value;
    }
    return null;
  });
}

/** The middle value; of an even number of values the higher of the two in the middle, so that it is one of them. */
export function upperMedian(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

/** Which of ten bins of equal width a share from 0 to 1 falls into; 1 is in the last. */
export function tenthOf(share: number): number {
  return Math.max(0, Math.min(9, Math.floor(share * 10)));
}
