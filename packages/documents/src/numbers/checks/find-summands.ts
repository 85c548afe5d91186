import { type GridLine, type View, ratioName } from '../tables/grid.ts';
import { isWithin } from './draft-finding.ts';
import { orderPeriod } from '../values/scan-periods.ts';
import { pattern } from '@agonhq/engine/text';

export const totalName = pattern('i')`
  \b(?:totals?|sum|sub-?totals?|grand total|overall|all (?:regions|segments|divisions|products|countries|categories
  |departments|units|sites|markets|channels|lines)|combined|consolidated|aggregate|gesamt|summe)\b
  |^(?:group|company)$`;

const wholeYear = /^(?:fy|full[ -]?year|year|annual|ytd|year to date|twelve months)\b|\btotal\b/i;

export const netName = /\b(?:net|gross|profit|income|loss|earnings|surplus|deficit|result|ebit(?:da)?|margin)\b/i;

/** Lines that often stand for the ones above them without saying that they are a total. */
export const wholeName = pattern('i')`
  \b(?:expenses|costs|assets|liabilities|equity|capital|revenues?|sales|income|cash|obligations?|debt|operations
  |(?:operating|investing|financing) activities)\b`;

const minusName = pattern('i')`
  \b(?:less|costs?|expenses?|expenditures?|tax(?:es)?|depreciation|amorti[sz]ation|interest|charges?|deductions?
  |discounts?|returns|liabilities|overheads?|cogs|opex|wages|salaries|provision|impairment|research and development
  |sales and marketing|administrative)\b`;

export const unsummable = pattern('i')`
  \b(?:years|weighted|maturity|term|average|avg|mean|median|per|price|rate|index|ratio|rank|score|yield|maximum
  |minimum|remaining|cumulative)\b`;

/** Lines of a list, never what the lines above them come to. */
export const itemName = /\b(?:accrued|prepaid|deferred|contingent|other|payables?|receivables?|unearned)\b/i;

/** What a period began with comes from the one before, and not from the lines above. */
export const isOpening = (label: string): boolean =>
  /\b(?:beginning|opening|(?:at|as of|of) (?:the )?start)\b/i.test(label) && !/\b(?:end|ending|closing)\b/i.test(label);

/** Lines that another may be made of. */
export interface SummandCandidate {
  parts: readonly number[];
  signs: readonly (1 | -1)[];
  /** All parts are added up, as a total says. */
  plain: boolean;
}

export function isTotal(view: View, line: GridLine): boolean {
  if (totalName.test(line.label)) return true;
  // A year beside its quarters adds them up; beside other years it does not.
  const quarters = view.lines.filter((other) => other.period !== null && /^[QH]\d/.test(other.period)).length;
  return quarters >= 2 && (line.period === null ? wholeYear.test(line.label) : line.period.startsWith('FY'));
}

export function isAmountLine(view: View, line: GridLine): boolean {
  if (unsummable.test(line.label) && /\bper\b|average|avg/i.test(line.label)) return false;
  const cells = view.items.map((item) => view.at(line.index, item.index)).filter((cell) => cell !== undefined);
  return (
    cells.length > 0 &&
    !(
      view.upright &&
      ratioName.test(line.label) &&
      cells.every((cell) => cell.unit === '%' || cell.unit === 'pp' || Math.abs(cell.shown) < 1.5)
    ) &&
    !(!view.upright && ratioName.test(line.label))
  );
}

const unsummableItem = pattern('i')`
  \bper\b|average|avg|price|rate|index|ratio|rank|score|years|weighted|maturity|term|maximum|minimum|remaining
  |cumulative`;

export function isSummable(view: View, target: number, item: GridLine): boolean {
  const cell = view.at(target, item.index);
  if (cell === undefined || cell.dash || cell.unit === 'pp') return false;
  if (cell.unit === '%' || (view.upright && ratioName.test(item.label)))
    return (
      !/growth|change|yoy|variance/i.test(item.label) &&
      (isWithin(cell.value, 1, 0.005) || isWithin(cell.shown, 100, 0.5))
    );
  return !(unsummable.test(item.label) && unsummableItem.test(item.label));
}

export function listCandidates(
  view: View,
  target: number,
  amounts: readonly number[],
  consumed: ReadonlySet<number>,
  total: boolean,
): SummandCandidate[] {
  const found: SummandCandidate[] = [];
  const above = amounts.filter((line) => line < target);
  const add = (run: readonly number[]): void => {
    if (run.length < 2) return;
    found.push({ parts: run, signs: run.map(() => 1 as const), plain: true });
    if (view.upright && (!total || netName.test(view.lines[target]!.label))) {
      if (run.length < 4 || run.slice(1).every((line) => minusName.test(view.lines[line]!.label)))
        found.push({
          parts: run,
          signs: run.map((_, position) => (position === 0 ? 1 : -1)),
          plain: false,
        });
      const byName = run.map((line, position): 1 | -1 =>
        position > 0 && minusName.test(view.lines[line]!.label) ? -1 : 1,
      );
      if (byName.includes(-1) && byName.slice(1).includes(1)) found.push({ parts: run, signs: byName, plain: false });
    }
  };
  const open = above.filter((line) => !consumed.has(line));
  for (let length = 2; length <= Math.min(open.length, 40); length++) add(open.slice(-length));
  for (let length = 2; length <= Math.min(above.length, 40); length++) {
    const run = above.slice(-length);
    add(run);
    // Totals above are sums of what stands above them: leave them out and add the leaves.
    const leaves = run.filter((line) => !totalName.test(view.lines[line]!.label));
    if (leaves.length !== run.length) add(leaves);
    const totals = run.filter((line) => totalName.test(view.lines[line]!.label));
    if (totals.length !== run.length) add(totals);
  }
  if (total || !view.upright) {
    const below = amounts.filter((line) => line > target);
    const stop = below.findIndex((line) => totalName.test(view.lines[line]!.label));
    const run = stop < 0 ? below : below.slice(0, stop);
    for (let length = 2; length <= run.length; length++) add(run.slice(0, length));
  }
  return found;
}

/** The parts of a total where nothing but its name says so: all lines above it, back to the last total or heading. */
export function findFlatParts(
  view: View,
  target: number,
  amounts: readonly number[],
  consumed: ReadonlySet<number>,
): SummandCandidate | null {
  if (
    !/^(?:grand )?(?:sub-?)?total\b|\btotal\)?$|^sum\b|^all\b|^(?:overall|group|combined)\b/i.test(
      view.lines[target]!.label.trim(),
    )
  )
    return null;
  const group = view.lines[target]!.group;
  const above = amounts.filter(
    (line) =>
      line < target && !consumed.has(line) && (view.upright ? view.lines[line]!.group === group || group === '' : true),
  );
  const last = above.findLastIndex((line) => totalName.test(view.lines[line]!.label));
  const run = above.slice(last + 1);
  return run.length < 2 ? null : { parts: run, signs: run.map(() => 1), plain: true };
}

/** Opening balance, movements, closing balance. */
export function findBridge(view: View, target: number, amounts: readonly number[]): SummandCandidate | null {
  if (!/\b(?:closing|ending|end of)\b/i.test(view.lines[target]!.label)) return null;
  const opening = amounts.findLastIndex(
    (line) => line < target && /\b(?:opening|beginning|start of)\b/i.test(view.lines[line]!.label),
  );
  const run = opening < 0 ? [] : amounts.slice(opening).filter((line) => line < target);
  return run.length < 3 ? null : { parts: run, signs: run.map(() => 1), plain: true };
}

/** Parts of one unit, none larger than their total, that come near it. */
export function isPlausibleSum(view: View, target: number, { parts }: SummandCandidate, item: number): boolean {
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

/** Made like the columns in which the sum holds: a cell that it alone lacks may have been lost in reading. */
export function isCompleteSum(
  view: View,
  target: number,
  { parts }: SummandCandidate,
  item: number,
  held: readonly number[],
): boolean {
  const filled = (line: number, at: number): boolean => (view.at(line, at)?.value ?? 0) !== 0;
  const [from, to] = [Math.min(...parts, target) - 1, Math.max(...parts, target)];
  const between = view.lines
    .filter(({ index }) => index >= from && index < to && index !== target && !parts.includes(index))
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

/** What adds up to one total together is no sum of one another, and what heads another list is none of its parts. */
export function areSiblings({ lines, upright }: View, target: number, { parts }: SummandCandidate): boolean {
  if (!upright) return false;
  const { total, label, group } = lines[target]!;
  return (
    !totalName.test(label) &&
    (parts.some((part) => total !== null && lines[part]!.total === total) ||
      (group !== '' && parts.some((part) => lines[part]!.group !== group)))
  );
}

/** A total that lacks a cell where its parts have some, and has one where they have none, was set in other columns. */
export function isShifted(view: View, target: number, { parts }: SummandCandidate): boolean {
  const count = (item: number): number => parts.filter((part) => view.at(part, item) !== undefined).length;
  return (
    view.items.some(({ index }) => view.at(target, index) === undefined && count(index) >= 2) &&
    view.items.some(({ index }) => view.at(target, index) !== undefined && count(index) * 2 <= parts.length)
  );
}

/** A stock stands at the end of a year as it did in the last quarter; a rate is a mean. */
export function isExplainedOtherwise(view: View, target: number, { parts }: SummandCandidate, item: number): boolean {
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
export function isKnownIdentity(view: View, target: number, { parts }: SummandCandidate): boolean {
  return identities.some(
    ([whole, terms]) =>
      view.lines[target]!.words.includes(whole) &&
      parts.length === terms.length &&
      terms.every((term, index) => view.lines[parts[index]!]!.words.includes(term)),
  );
}
