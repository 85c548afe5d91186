import { findQuotientTolerance, formatFigure } from './draft-finding.ts';
import { type GridLine, type NumberCell, type View, growthName, ratioName, shareName } from '../tables/grid.ts';
import { orderPeriod } from '../values/scan-periods.ts';

const totalName = /\b(?:totals?|sum|overall|all|group|combined|consolidated)\b/i;
const numerators: Record<string, readonly string[]> = {
  grossmargin: ['grossprofit', 'grossmargin'],
  operatingmargin: ['operatingprofit'],
  ebitdamargin: ['ebitda'],
  netmargin: ['netprofit', 'profit'],
  margin: ['profit', 'operatingprofit', 'netprofit', 'grossprofit', 'ebitda', 'income', 'surplus'],
};

/** A way to compute a line from others, item by item. */
export interface CheckedFormula {
  check: 'growth' | 'share' | 'margin' | 'difference';
  compute: (
    item: number,
  ) => { value: number; tolerance: number; arithmetic: string; cells: readonly NumberCell[] } | null;
  /** The stated number is a rate: compared as a fraction. */
  rate: boolean;
  /** The headers say that this is how it is computed: one number alone may be held against it. */
  plain: boolean;
}

/** 2024, 2023, change: the change of each item between two other lines. */
export function listChangesAcross(view: View, line: GridLine): CheckedFormula[] {
  const values = view.lines.filter(
    (other) =>
      other.index !== line.index && !growthName.test(dropComparison(other.label)) && !shareName.test(other.label),
  );
  const formulas: CheckedFormula[] = [];
  for (const current of values) {
    for (const earlier of values) {
      if (current.index === earlier.index || (values.length > 8 && Math.abs(current.index - earlier.index) > 2))
        continue;
      const ordered =
        current.period !== null &&
        earlier.period !== null &&
        (orderPeriod(current.period) ?? 0) > (orderPeriod(earlier.period) ?? 0);
      if (current.period !== null && earlier.period !== null && !ordered) continue;
      // Down a table, a change stands below what it is the change of.
      if (view.upright && line.index < Math.max(current.index, earlier.index)) continue;
      if (!view.upright && current.words.join() !== earlier.words.join() && current.period !== null) continue;
      const named =
        /\b(?:actual|current|this)\b/i.test(current.label) ||
        /\b(?:budget|plan|prior|previous|last|forecast|target)\b/i.test(earlier.label);
      if (!ordered && !named) continue;
      const latest =
        ordered &&
        values.every(
          (other) =>
            other === current ||
            other.period === null ||
            (orderPeriod(other.period) ?? 0) <= orderPeriod(earlier.period!)!,
        );
      const plain = latest || values.length === 2;
      for (const rate of [true, false]) {
        formulas.push({
          check: rate ? 'growth' : 'difference',
          rate,
          plain,
          compute: (item) => {
            const [now, then] = [view.at(current.index, item), view.at(earlier.index, item)];
            return now === undefined || then === undefined
              ? null
              : rate && now.unit !== '%'
                ? computeGrowth(now, then)
                : computeDifference(now, then, rate);
          },
        });
      }
    }
  }
  return formulas;
}

/** A line of growth rates beside the line of values that grows from item to item. */
export function listChangesAlong(view: View, line: GridLine, amounts: readonly GridLine[]): CheckedFormula[] {
  const formulas: CheckedFormula[] = [];
  const times = view.items.map(({ period }) => (period === null ? null : orderPeriod(period)));
  const topic = line.words.filter((word) => !growthName.test(word) && word !== 'rate');
  const nearest = amounts.findLast(({ index }) => index < line.index) ?? amounts[0];
  for (const value of [
    ...amounts,
    ...view.lines.filter(
      (other) => other.index !== line.index && isRateLine(view, other) && !growthName.test(other.label),
    ),
  ]) {
    const named = topic.length > 0 && topic.every((word) => value.words.includes(word));
    for (const step of [-1, 1, -4, 4]) {
      for (const rate of [true, false]) {
        formulas.push({
          check: rate ? 'growth' : 'difference',
          rate,
          plain: named || (topic.length === 0 && value.index === nearest?.index && Math.abs(step) === 1),
          compute: (item) => {
            const [now, then] = [view.at(value.index, item), view.at(value.index, item + step)];
            const [later, before] = [times[item], times[item + step]];
            if (
              now === undefined ||
              then === undefined ||
              later === null ||
              before === null ||
              later === undefined ||
              before === undefined ||
              later <= before
            )
              return null;
            return rate && now.unit !== '%' ? computeGrowth(now, then) : computeDifference(now, then, rate);
          },
        });
      }
    }
  }
  return formulas;
}

function computeGrowth(now: NumberCell, then: NumberCell): ReturnType<CheckedFormula['compute']> {
  if (
    then.value === 0 ||
    then.dash ||
    now.dash ||
    now.unit === '%' ||
    (then.value < 0 && now.value > 0) ||
    Math.abs(then.value) <= 2 * then.precision
  )
    return null;
  return {
    value: (now.value - then.value) / Math.abs(then.value),
    tolerance: findQuotientTolerance(now, then),
    arithmetic: `(${now.text} − ${then.text}) / ${then.text}`,
    cells: [now, then],
  };
}

function computeDifference(now: NumberCell, then: NumberCell, rate: boolean): ReturnType<CheckedFormula['compute']> {
  if (rate !== (now.unit === '%') || now.unit !== then.unit) return null;
  const isExact = now.exact !== null && then.exact !== null;
  return {
    value: isExact ? now.exact! - then.exact! : now.value - then.value,
    tolerance: isExact ? 0 : now.precision + then.precision,
    arithmetic: `${formatFigure(now)} − ${formatFigure(then)}`,
    cells: [now, then],
  };
}

export function listShares(view: View, amounts: readonly GridLine[]): CheckedFormula[] {
  const totals = view.items.filter(({ label }) => totalName.test(label));
  return amounts
    .filter((value) => !isMarks(view, value))
    .flatMap((value) => {
      const parts = view.items.filter(
        (item) => !totalName.test(item.label) && view.at(value.index, item.index) !== undefined,
      );
      const bases: (readonly NumberCell[])[] = totals
        .map((total) => view.at(value.index, total.index))
        .filter((cell) => cell !== undefined)
        .map((cell) => [cell]);
      bases.push(parts.map((item) => view.at(value.index, item.index)!));
      const first = view.at(value.index, 0);
      if (first !== undefined) bases.push([first]);
      return bases.map((base): CheckedFormula => ({
        check: 'share',
        rate: true,
        plain: false,
        compute: (item) => {
          const cell = view.at(value.index, item);
          const sum = base.reduce((subtotal, one) => subtotal + one.value, 0);
          if (cell === undefined || sum <= 0 || base.length === 0) return null;
          const tolerance =
            (cell.precision +
              Math.abs(cell.value / sum) * base.reduce((subtotal, one) => subtotal + one.precision, 0)) /
            sum;
          const bottom = base.length === 1 ? base[0]!.text : `(${base.map(({ text }) => text).join(' + ')})`;
          return {
            value: cell.value / sum,
            tolerance,
            arithmetic: `${cell.text} / ${bottom}`,
            cells: [cell, ...base.filter((one) => one !== cell)],
          };
        },
      }));
    });
}

/** A line of nothing but small whole numbers holds the marks of notes. */
function isMarks(view: View, line: GridLine): boolean {
  const cells = view.items.flatMap((item) => view.at(line.index, item.index) ?? []);
  return cells.every(({ text }) => /^\(?\d\)?$/.test(text.trim()));
}

export function listMargins(view: View, line: GridLine, amounts: readonly GridLine[]): CheckedFormula[] {
  const of = /(?:%|percent(?:age)?) of (?:total |net )?(\p{L}+)/iu.exec(line.label)?.[1];
  const named = amounts.filter(
    ({ words }) => words.includes('revenue') || (of !== undefined && words.join(' ').includes(of.toLowerCase())),
  );
  // A charity or a school has an income and no revenue.
  const denominators =
    named.length > 0 ? named : amounts.filter(({ label }) => /^(?:total )?income$/i.test(label.trim()));
  const kind = line.words.find((word) => Object.hasOwn(numerators, word));
  const wanted = kind === undefined ? [] : numerators[kind]!;
  const topic = line.words.filter((word) => word !== 'revenue' && word !== 'percent' && word !== 'percentage');
  return denominators.flatMap((bottom) =>
    amounts
      .filter(({ index }) => index !== bottom.index)
      .map((top): CheckedFormula => {
        const named =
          wanted.some((word) => top.words.includes(word)) ||
          (topic.length > 0 && topic.every((word) => top.words.includes(word)));
        const sole = amounts.filter(({ words }) => wanted.some((word) => words.includes(word))).length <= 1;
        return {
          check: 'margin',
          rate: true,
          plain: named && (kind !== 'margin' || sole),
          compute: (item) => {
            const [profit, revenue] = [view.at(top.index, item), view.at(bottom.index, item)];
            if (
              profit === undefined ||
              revenue === undefined ||
              growthName.test(view.items[item]!.label) ||
              revenue.value <= 0 ||
              profit.unit === '%' ||
              revenue.unit === '%'
            )
              return null;
            return {
              value: profit.value / revenue.value,
              tolerance: findQuotientTolerance(profit, revenue),
              arithmetic: `${profit.text} / ${revenue.text}`,
              cells: [profit, revenue],
            };
          },
        };
      }),
  );
}

export function isRateLine(view: View, line: GridLine): boolean {
  const cells = view.items.map((item) => view.at(line.index, item.index)).filter((cell) => cell !== undefined);
  return (
    cells.length > 0 &&
    cells.every(
      (cell) =>
        cell.unit === '%' ||
        cell.unit === 'pp' ||
        (ratioName.test(line.label) && cell.unit === null && Math.abs(cell.shown) <= 100),
    )
  );
}

export const dropComparison = (label: string): string => label.replace(/\bvs\b.*$/i, '');
