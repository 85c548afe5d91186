/** Null where there was nothing to measure. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
