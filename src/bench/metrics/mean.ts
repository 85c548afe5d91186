/** The mean; null without values, or where one of them is missing. */
export function meanOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum / values.length;
}

/** The standard deviation over all values that there are, as in the paper's Table 2; null where the mean is. */
export function standardDeviation(values: readonly (number | null)[]): number | null {
  const mean = meanOf(values);
  if (mean === null) return null;
  return Math.sqrt(meanOf(values.map((value) => (value! - mean) ** 2))!);
}
