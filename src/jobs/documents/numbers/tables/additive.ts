/* Which rows of a table add up to which: read off the numbers, before anything is known of their units. */

interface Shown {
  value: number;
  precision: number;
}

/** For each row that is a part of a sum, the row that holds the sum. */
export function findAdditiveRows(
  rows: readonly number[],
  columns: readonly number[],
  at: (row: number, column: number) => Shown | null,
  mayBeTotal: (row: number) => boolean,
): Map<number, number> {
  const whole = new Map<number, number>();
  for (const [position, total] of rows.entries()) {
    if (!mayBeTotal(total)) continue;
    for (let count = 2; count <= Math.min(position, 40); count++) {
      const parts = rows.slice(position - count, position);
      if (!addsUp(total, parts, columns, at)) continue;
      for (const part of parts) if (!whole.has(part)) whole.set(part, total);
      break;
    }
  }
  return whole;
}

/** In half of the columns that have both, and not for want of numbers. */
function addsUp(
  total: number,
  parts: readonly number[],
  columns: readonly number[],
  at: (row: number, column: number) => Shown | null,
): boolean {
  let held = 0;
  let seen = 0;
  for (const column of columns) {
    const sum = at(total, column);
    const cells = parts.map((part) => at(part, column));
    if (sum === null || cells.some((cell) => cell === null)) continue;
    seen++;
    const tolerance = cells.reduce((subtotal, cell) => subtotal + cell!.precision, sum.precision);
    const gap = Math.abs(cells.reduce((subtotal, cell) => subtotal + cell!.value, -sum.value));
    if (gap <= tolerance * (1 + 1e-9) && Math.abs(sum.value) > 20 * tolerance) held++;
  }
  return held > 0 && held * 2 >= seen;
}
