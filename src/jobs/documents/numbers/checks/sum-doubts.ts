import { isWithin } from './draft-finding.ts';
import type { View } from '../tables/grid.ts';
import { orderPeriod } from '../values/scan-periods.ts';
import { unsummable, type Candidate } from './find-summands.ts';

/** Parts of one unit, none larger than their total, that come near it. */
export function isPlausibleSum(view: View, target: number, { parts }: Candidate, item: number): boolean {
  const total = view.at(target, item)!;
  const cells = parts.map((part) => view.at(part, item));
  if (cells.some((cell) => cell === undefined || cell.unit !== total.unit)) return false;
  const sum = cells.reduce((subtotal, cell) => subtotal + cell!.value, 0);
  return (
    cells.every((cell) => cell!.value >= 0 || Math.abs(cell!.value) < Math.abs(total.value)) &&
    Math.abs(sum - total.value) < 0.5 * Math.abs(total.value) &&
    parts.every((part) => !unsummable.test(view.lines[part]!.label))
  );
}

/**
 * Whether a column is made like those in which the sum holds: a cell that it alone lacks may have been lost in
 * reading.
 */
export function isCompleteSum(view: View, { parts }: Candidate, item: number, held: readonly number[]): boolean {
  const filled = (line: number, at: number): boolean => (view.at(line, at)?.value ?? 0) !== 0;
  const between = view.lines
    .filter(({ index }) => index > Math.min(...parts) && index < Math.max(...parts) && !parts.includes(index))
    .map(({ index }) => index);
  if (
    !parts.every(
      (part) => view.at(part, item) !== undefined || held.every((other) => view.at(part, other) === undefined),
    )
  )
    return false;
  // Where a line counts in one column only, the columns are not made alike.
  return ![...parts, ...between].some((line) => filled(line, item) && held.every((other) => !filled(line, other)));
}

/** A stock stands at the end of a year as it did in the last quarter; a rate is a mean. */
export function isExplainedOtherwise(view: View, target: number, { parts }: Candidate, item: number): boolean {
  if (
    view.upright &&
    !parts.some((part) => view.lines[part]!.period !== null && orderPeriod(view.lines[part]!.period) !== null)
  )
    return false;
  const total = view.at(target, item)!;
  const cells = parts.map((part) => view.at(part, item)).filter((cell) => cell !== undefined);
  const mean = cells.reduce((sum, cell) => sum + cell.value, 0) / cells.length;
  return (
    isWithin(total.value, cells.at(-1)!.value, total.precision) ||
    isWithin(total.value, cells[0]!.value, total.precision) ||
    (total.value >= Math.min(...cells.map((cell) => cell.value)) &&
      total.value <= Math.max(...cells.map((cell) => cell.value)) &&
      cells.length > 2) ||
    isWithin(total.value, mean, total.precision + cells[0]!.precision)
  );
}

const identities: readonly [string, readonly string[]][] = [
  ['grossprofit', ['revenue', 'costofsales']],
  ['operatingprofit', ['grossprofit', 'opex']],
  ['netprofit', ['operatingprofit', 'incometax']],
  ['netprofit', ['pretaxprofit', 'incometax']],
];

/** Gross profit is revenue less its cost, whatever else the table holds. */
export function isKnownIdentity(view: View, target: number, { parts }: Candidate): boolean {
  return identities.some(
    ([whole, terms]) =>
      view.lines[target]!.words.includes(whole) &&
      parts.length === terms.length &&
      terms.every((term, index) => view.lines[parts[index]!]!.words.includes(term)),
  );
}
