/**
 * How far apart the numbers of two readings are at most; infinite where they differ otherwise. On some processors the
 * kernels round by the size of the batch, which shows in the seventh decimal.
 */
export function largestDifference(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return left === right ? 0 : Infinity;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  const part = (of: object, key: string): unknown => (of as Record<string, unknown>)[key];
  return Math.max(0, ...[...keys].map((key) => largestDifference(part(left, key), part(right, key))));
}
