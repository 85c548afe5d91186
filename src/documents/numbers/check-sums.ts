import { draft, figure, placesOf, within, type Draft } from './draft.ts';
import { ratio, type Line, type NumberCell, type View } from './grid.ts';
import { timeOf } from './periods.ts';

const totalName = /\b(?:totals?|sum|sub-?totals?|grand total|overall|all (?:regions|segments|divisions|products|countries|categories|departments|units|sites|markets|channels|lines)|combined|consolidated|aggregate|gesamt|summe)\b|^(?:group|company)$/i;
const wholeYear = /^(?:fy|full[ -]?year|year|annual|ytd|year to date|twelve months)\b|\btotal\b/i;
const netName = /\b(?:net|gross|profit|income|loss|earnings|surplus|deficit|result|ebit(?:da)?|margin)\b/i;
/** Lines that often stand for the ones above them without saying that they are a total. */
const wholeName = /\b(?:expenses|costs|assets|liabilities|equity|capital|revenues?|sales|income|cash|obligations?|debt|operations|(?:operating|investing|financing) activities)\b/i;
const minusName = /\b(?:less|costs?|expenses?|expenditures?|tax(?:es)?|depreciation|amorti[sz]ation|interest|charges?|deductions?|discounts?|returns|liabilities|overheads?|cogs|opex|wages|salaries|provision|impairment|research and development|sales and marketing|administrative)\b/i;
const unsummable = /\b(?:years|weighted|maturity|term|average|avg|mean|median|per|price|rate|index|ratio|rank|score|yield|maximum|minimum|remaining|cumulative)\b/i;

interface Candidate {
  parts: readonly number[];
  signs: readonly (1 | -1)[];
  /** All parts are added up, as a total says. */
  plain: boolean;
}

/** Totals, subtotals and nets against the lines they are made of. */
export function checkSums(view: View): Draft[] {
  const drafts: Draft[] = [];
  const consumed = new Set<number>();
  const amounts = view.lines.filter((line) => isAmountLine(view, line)).map(({ index }) => index);
  for (const target of amounts) {
    const line = view.lines[target]!;
    const total = isTotal(view, line);
    const bridged = bridge(view, target, amounts);
    if (!total
      && !(view.upright && (netName.test(line.label) || bridged !== null || (view.items.length >= 2 && wholeName.test(line.label))))) continue;
    const items = view.items.filter((item) => summable(view, target, item)).map(({ index }) => index);
    if (items.length === 0) continue;
    const candidates = candidatesFor(view, target, amounts, consumed, total);
    const scored = candidates.map((candidate) => ({
      candidate, held: items.filter((item) => check(view, target, candidate, item)?.strong === true),
    }));
    const best = scored.toSorted((left, right) => right.held.length - left.held.length
      || Number(right.candidate.plain) - Number(left.candidate.plain))[0];
    if (best === undefined) continue;
    const net = netName.test(line.label);
    const surprising = best.held.some((item) => Math.abs(view.at(target, item)!.value) > 20 * candidates.filter(({ parts }) => parts.length <= best.candidate.parts.length).length * check(view, target, best.candidate, item)!.tolerance);
    const enough = (total && best.candidate.plain)
      || ((total || net) && surprising)
      || (best.held.length > 0 && isIdentity(view, target, best.candidate))
      || (surprising
        && (best.candidate.parts.length > 2
          || best.held.every((item) => Math.abs(view.at(target, item)!.value) > 500 * check(view, target, best.candidate, item)!.tolerance))
        && items.length < 3)
      ? 1
      : 2;
    if (best.held.length >= enough && (total || net || best.held.length * 2 >= items.length)) {
      for (const item of items) {
        const result = check(view, target, best.candidate, item);
        if (result === null) continue;
        const elsewhere = !result.holds && scored.some(({ candidate }) => check(view, target, candidate, item)?.holds === true);
        const failed = items.map((other) => check(view, target, best.candidate, other)).filter((other) => other !== null).filter((other) => !other.holds);
        const failures = failed.length;
        // The same gap twice is a part that was not read, not a wrong number.
        const lacking = failed.filter((other) => within(other.gap, result.gap, result.tolerance)).length > 1;
        if (result.holds
          ? result.strong
          : result.nonzero > 1
            && !lacking
            && !elsewhere
            && !otherwise(view, target, best.candidate, item)
            && complete(view, best.candidate, item, best.held)
            && failures <= Math.max(1, best.held.length / 2)) drafts.push(told(view, target, item, best.candidate, result));
      }
      for (const part of best.candidate.parts) if (part < target) consumed.add(part);
      continue;
    }
    const lone = items.filter((item) => !unsummable.test(view.items[item]!.label));
    const plain = lone.length !== 1 ? null : total ? flat(view, target, amounts, consumed) : bridged;
    if (plain !== null) {
      const item = lone[0]!;
      const result = check(view, target, plain, item);
      if (result !== null
        && !result.holds
        && plausible(view, target, plain, item)
        && !scored.some(({ candidate }) => check(view, target, candidate, item)?.holds === true)) drafts.push(told(view, target, item, plain, result));
      for (const part of plain.parts) consumed.add(part);
    }
  }
  return drafts;
}

function isTotal(view: View, line: Line): boolean {
  if (totalName.test(line.label)) return true;
  // A year beside its quarters adds them up; beside other years it does not.
  const quarters = view.lines.filter((other) => other.period !== null && /^[QH]\d/.test(other.period)).length;
  return quarters >= 2 && (line.period === null ? wholeYear.test(line.label) : line.period.startsWith('FY'));
}

function isAmountLine(view: View, line: Line): boolean {
  if (unsummable.test(line.label) && /\bper\b|average|avg/i.test(line.label)) return false;
  const cells = view.items.map((item) => view.at(line.index, item.index)).filter((cell) => cell !== undefined);
  return cells.length > 0
    && !(view.upright && ratio.test(line.label) && cells.every((cell) => cell.unit === '%' || cell.unit === 'pp' || Math.abs(cell.shown) < 1.5))
    && !(!view.upright && ratio.test(line.label));
}

function summable(view: View, target: number, item: Line): boolean {
  const cell = view.at(target, item.index);
  if (cell === undefined || cell.dash || cell.unit === 'pp') return false;
  if (cell.unit === '%' || (view.upright && ratio.test(item.label))) return !/growth|change|yoy|variance/i.test(item.label) && (within(cell.value, 1, 0.005) || within(cell.shown, 100, 0.5));
  return !(unsummable.test(item.label) && /\bper\b|average|avg|price|rate|index|ratio|rank|score|years|weighted|maturity|term|maximum|minimum|remaining|cumulative/i.test(item.label));
}

function candidatesFor(view: View, target: number, amounts: readonly number[], consumed: ReadonlySet<number>, total: boolean): Candidate[] {
  const found: Candidate[] = [];
  const above = amounts.filter((line) => line < target);
  const add = (run: readonly number[]): void => {
    if (run.length < 2) return;
    found.push({ parts: run, signs: run.map(() => 1 as const), plain: true });
    if (view.upright && (!total || netName.test(view.lines[target]!.label))) {
      if (run.length < 4 || run.slice(1).every((line) => minusName.test(view.lines[line]!.label))) found.push({
        parts: run, signs: run.map((_, position) => (position === 0 ? 1 : -1)), plain: false,
      });
      const byName = run.map((line, position): 1 | -1 => (position > 0 && minusName.test(view.lines[line]!.label) ? -1 : 1));
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
function flat(view: View, target: number, amounts: readonly number[], consumed: ReadonlySet<number>): Candidate | null {
  if (!/^(?:grand )?(?:sub-?)?total\b|\btotal\)?$|^sum\b|^all\b|^(?:overall|group|combined)\b/i.test(view.lines[target]!.label.trim())) return null;
  const group = view.lines[target]!.group;
  const above = amounts.filter((line) => line < target
    && !consumed.has(line)
    && (view.upright ? view.lines[line]!.group === group || group === '' : true));
  const last = above.findLastIndex((line) => totalName.test(view.lines[line]!.label));
  const run = above.slice(last + 1);
  return run.length < 2 ? null : { parts: run, signs: run.map(() => 1), plain: true };
}

/** Opening balance, movements, closing balance. */
function bridge(view: View, target: number, amounts: readonly number[]): Candidate | null {
  if (!/\b(?:closing|ending|end of)\b/i.test(view.lines[target]!.label)) return null;
  const opening = amounts.findLastIndex((line) => line < target && /\b(?:opening|beginning|start of)\b/i.test(view.lines[line]!.label));
  const run = opening < 0 ? [] : amounts.slice(opening).filter((line) => line < target);
  return run.length < 3 ? null : { parts: run, signs: run.map(() => 1), plain: true };
}

/** Parts of one unit, none larger than their total, that come near it. */
function plausible(view: View, target: number, { parts }: Candidate, item: number): boolean {
  const total = view.at(target, item)!;
  const cells = parts.map((part) => view.at(part, item));
  if (cells.some((cell) => cell === undefined || cell.unit !== total.unit)) return false;
  const sum = cells.reduce((subtotal, cell) => subtotal + cell!.value, 0);
  return cells.every((cell) => cell!.value >= 0 || Math.abs(cell!.value) < Math.abs(total.value))
    && Math.abs(sum - total.value) < 0.5 * Math.abs(total.value)
    && parts.every((part) => !unsummable.test(view.lines[part]!.label));
}

/** Whether a column is made like those in which the sum holds: a cell that it alone lacks may have been lost in reading. */
function complete(view: View, { parts }: Candidate, item: number, held: readonly number[]): boolean {
  const filled = (line: number, at: number): boolean => (view.at(line, at)?.value ?? 0) !== 0;
  const between = view.lines.filter(({ index }) => index > Math.min(...parts)
    && index < Math.max(...parts)
    && !parts.includes(index)).map(({ index }) => index);
  if (!parts.every((part) => view.at(part, item) !== undefined || held.every((other) => view.at(part, other) === undefined))) return false;
  // Where a line counts in one column only, the columns are not made alike.
  return ![...parts, ...between].some((line) => filled(line, item) && held.every((other) => !filled(line, other)));
}

/** A stock stands at the end of a year as it did in the last quarter; a rate is a mean. */
function otherwise(view: View, target: number, { parts }: Candidate, item: number): boolean {
  if (view.upright && !parts.some((part) => view.lines[part]!.period !== null && timeOf(view.lines[part]!.period) !== null)) return false;
  const total = view.at(target, item)!;
  const cells = parts.map((part) => view.at(part, item)).filter((cell) => cell !== undefined);
  const mean = cells.reduce((sum, cell) => sum + cell.value, 0) / cells.length;
  return within(total.value, cells.at(-1)!.value, total.precision)
    || within(total.value, cells[0]!.value, total.precision)
    || (total.value >= Math.min(...cells.map((cell) => cell.value))
      && total.value <= Math.max(...cells.map((cell) => cell.value))
      && cells.length > 2)
    || within(total.value, mean, total.precision + cells[0]!.precision);
}

const identities: readonly [string, readonly string[]][] = [
  ['grossprofit', ['revenue', 'costofsales']], ['operatingprofit', ['grossprofit', 'opex']], ['netprofit', ['operatingprofit', 'incometax']], ['netprofit', ['pretaxprofit', 'incometax']],
];

/** Gross profit is revenue less its cost, whatever else the table holds. */
function isIdentity(view: View, target: number, { parts }: Candidate): boolean {
  return identities.some(([whole, terms]) => view.lines[target]!.words.includes(whole)
    && parts.length === terms.length
    && terms.every((term, index) => view.lines[parts[index]!]!.words.includes(term)));
}

interface Result {
  holds: boolean;
  /** It holds, and not for want of numbers. */
  strong: boolean;
  nonzero: number;
  sum: number;
  gap: number;
  tolerance: number;
  cells: readonly { cell: NumberCell; sign: 1 | -1 }[];
}

function check(view: View, target: number, { parts, signs }: Candidate, item: number): Result | null {
  const total = view.at(target, item);
  if (total === undefined) return null;
  const cells: { cell: NumberCell; sign: 1 | -1 }[] = [];
  for (const [position, part] of parts.entries()) {
    const cell = view.at(part, item);
    if (cell === undefined) continue;
    if ((cell.unit === '%') !== (total.unit === '%')) return null;
    cells.push({ cell, sign: signs[position]! });
  }
  if (cells.length < 2) return null;
  const sum = cells.reduce((subtotal, { cell, sign }) => subtotal + sign * cell.value, 0);
  const tolerance = cells.reduce((subtotal, { cell }) => subtotal + (cell.dash ? 0 : cell.precision), total.precision);
  const holds = within(sum, total.value, tolerance);
  const nonzero = cells.filter(({ cell }) => cell.value !== 0).length;
  return {
    holds, strong: holds && nonzero >= 2 && total.value !== 0 && Math.abs(total.value) > 20 * tolerance, nonzero, sum,
    gap: sum - total.value, tolerance, cells,
  };
}

function told(view: View, target: number, item: number, candidate: Candidate, { holds, sum, cells }: Result): Draft {
  const total = view.at(target, item)!;
  const scale = total.shown === 0 ? 1 : total.value / total.shown;
  const name = [view.lines[target]!.label, view.items[item]!.label].filter((text) => text !== '').join(', ');
  const terms = cells.map(({ cell, sign }, position) => `${position === 0 ? (sign < 0 ? '−' : '') : sign < 0 ? ' − ' : ' + '}${figure(cell)}`).join('');
  const computed = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 }).format(total.unit === '%' ? sum * 100 : sum / scale);
  const statement = holds
    ? `“${name}” is the sum of its parts.`
    : `“${name}” is stated as ${figure(total)}, its parts come to ${computed}${total.unit === '%' ? ' %' : ''}.`;
  return draft(
    candidate.plain ? 'sum' : 'difference', holds, statement, `${terms} = ${computed}${total.unit === '%' ? ' %' : ''}, stated ${figure(total)}`,
    placesOf(view.grid, total, ...cells.map(({ cell }) => cell)), Math.abs(sum - total.value),
  );
}
