import {
  formatAmount,
  formatFigure,
  findQuotientTolerance,
  formatValue,
  isWithin,
  type Draft,
  draftStatement,
  type PlacedStatement,
} from './draft-finding.ts';
import { findMarginCells, profitMeasures } from './check-level.ts';
import {
  selectClosest,
  findEarlier,
  selectClosestInPeriod,
  isChangeLine,
  isDerived,
  isRate,
  selectInPeriod,
  type CellIndex,
  type Match,
} from './match-cells.ts';
import { findImpliedBase, findPeriodBefore, findYearBefore } from '../values/scan-periods.ts';
import { planBase, type Statement } from '../statements/read-statements.ts';

/** By how much a measure is said to have changed, against two periods of it. */
export function checkChange(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const size = Math.abs(statement.value);
  const signed = statement.direction === null ? statement.value : statement.direction === -1 ? -size : size;
  const columns = selectPeriodOrNone(
    index.matching(statement, (match) => isRate(match) && isChangeLine(match)),
    statement.period,
  );
  const inColumn =
    statement.unit === '%'
      ? columns.find(({ number }) => isWithin(number.value, signed, number.precision + statement.precision))
      : undefined;
  const found = pairPeriods(placed, index);
  const checked = found.flatMap(({ now, base }) => {
    const rate = isRate(now);
    const difference = {
      now,
      base,
      value: now.number.value - base.number.value,
      tolerance: now.number.precision + base.number.precision,
      arithmetic: `${now.number.text} − ${base.number.text}`,
    };
    if (statement.unit === 'pp' || (statement.unit === '%' && rate))
      return rate ? [{ ...difference, percent: true }] : [];
    if (statement.unit === '%') {
      if (base.number.value === 0 || Math.sign(base.number.value) !== Math.sign(now.number.value)) return [];
      return [
        {
          now,
          base,
          value: (now.number.value - base.number.value) / base.number.value,
          tolerance: findQuotientTolerance(now.number, base.number),
          arithmetic: `(${now.number.text} − ${base.number.text}) / ${base.number.text}`,
          percent: true,
        },
      ];
    }
    if (statement.unit !== null && now.number.unit !== statement.unit) return [];
    if (
      rate ||
      (!now.number.scaled && statement.unit === null && Math.abs(statement.value) > Math.abs(now.number.value))
    )
      return [];
    return [{ ...difference, percent: false }];
  });
  const close = (value: number, tolerance: number, target: number): boolean =>
    isWithin(
      value,
      target,
      tolerance +
        statement.precision +
        (statement.loose ? Math.max(0.1 * Math.abs(target), 2 * statement.precision) : 0),
    );
  const scales = (percent: boolean, { number }: Match): readonly number[] =>
    percent || number.scaled ? [1] : [1, 1e3, 1e6];
  const held = checked.find(
    ({ value, tolerance, now, base, percent }) =>
      scales(percent, now).some(
        (scale) =>
          close(value * scale, tolerance * scale, signed) ||
          (now.number.value < 0 && close(-value * scale, tolerance * scale, signed)),
      ) ||
      (statement.direction === null && close(-value, tolerance, signed)) ||
      // Where a table is in thousands, the prose around it often is too, without saying so.
      (!percent &&
        statement.bare &&
        now.number.scaled &&
        close(now.number.shown - base.number.shown, now.number.shownPrecision + base.number.shownPrecision, signed)) ||
      (now.number.value < 0 && base.number.value < 0 && close(-value, tolerance, signed)) ||
      (statement.unit === '%' && isRate(now) && close(value / base.number.value, 0.005, signed)),
  );
  if (held !== undefined) {
    const arithmetic = `${held.arithmetic} = ${formatChange(held)}, stated ${statement.text}`;
    return draftStatement(placed, 'growth', true, arithmetic, [held.now, held.base]);
  }
  if (inColumn !== undefined && checked.length === 0) {
    const arithmetic = `stated ${statement.text}, the table has ${formatFigure(inColumn.number)}`;
    return draftStatement(placed, 'growth', true, arithmetic, [inColumn]);
  }
  if (statement.unsure) return [];
  if (checked.length === 0) {
    const values = new Set(columns.map(({ number }) => number.value));
    if (statement.unit !== '%' || values.size !== 1 || statement.loose) return [];
    const [cell] = columns;
    const check = Math.sign(cell!.number.value) === Math.sign(signed) ? 'growth' : 'direction';
    const arithmetic = `stated ${formatValue(signed, true)}, the table has ${formatFigure(cell!.number)}`;
    return draftStatement(placed, check, false, arithmetic, [cell!], Math.abs(cell!.number.value - signed));
  }
  const various = new Set(checked.map(({ value }) => value.toPrecision(4))).size > 1;
  if (
    (various && (placed.several || new Set(checked.map(({ now }) => now.number.cell)).size > 1)) ||
    checked.some(({ percent, now }) => !percent && !now.number.scaled && !statement.bare)
  )
    return [];
  const [one] = checked;
  const sameSign = checked.some(({ value }) => Math.sign(value) === Math.sign(signed));
  if (inColumn !== undefined || (statement.loose && sameSign)) return [];
  const opposite =
    statement.direction !== null && !sameSign && checked.every(({ value, tolerance }) => Math.abs(value) > tolerance);
  if (one!.percent && !opposite && checked.every(({ value }) => Math.abs(value) > 3 * Math.abs(signed) + 0.5))
    return [];
  const distinct = [...new Map(checked.map((way) => [way.arithmetic, way])).values()];
  const ways = distinct.map((way) => `${way.arithmetic} = ${formatChange(way)}`).join('; ');
  const way = opposite ? (statement.direction === -1 ? 'a fall of ' : 'a rise of ') : '';
  return draftStatement(
    placed,
    opposite ? 'direction' : 'growth',
    false,
    `${ways}, stated ${way}${statement.text}`,
    [one!.now, ...new Set(distinct.map(({ base }) => base))],
    Math.min(...checked.map(({ value }) => Math.abs(value - signed))),
  );
}

function formatChange({ value, percent, now }: { value: number; percent: boolean; now: Match }): string {
  return percent ? formatValue(value, true) : formatAmount(value, now.number);
}

function selectPeriodOrNone(matches: readonly Match[], period: string | null): Match[] {
  const named = selectClosestInPeriod(matches, period);
  return named.length > 0 ? named : matches.filter(({ number }) => number.period === null);
}

/** Which way a measure is said to have gone, against two periods of it. */
export function checkDirection(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  if (statement.unsure || statement.direction === null) return [];
  const found = pairPeriods(placed, index);
  const seen = found.map(({ now, base }) => ({
    cells: [now, base],
    value: now.number.value - base.number.value,
    relative: base.number.value === 0 ? 0 : Math.abs((now.number.value - base.number.value) / base.number.value),
    tolerance: now.number.precision + base.number.precision,
    arithmetic: `${base.number.text} → ${now.number.text}`,
    negative: now.number.value < 0 || base.number.value < 0,
  }));
  if (seen.length === 0 && statement.metric in profitMeasures && statement.period !== null) {
    const now = findMarginCells(placed, index, statement.period);
    const bases =
      statement.base === null
        ? [findYearBefore(statement.period), findPeriodBefore(statement.period)]
        : [statement.base];
    for (const base of bases.map((period) => (period === null ? null : findMarginCells(placed, index, period)))) {
      if (now === null || base === null) continue;
      const [later, before] = [now, base].map(({ profit, revenue }) => profit.number.value / revenue.number.value) as [
        number,
        number,
      ];
      const told = ({ profit, revenue }: typeof now, value: number): string =>
        `${profit.number.text} / ${revenue.number.text} = ${formatValue(value, true)}`;
      seen.push({
        cells: [now.profit, now.revenue, base.profit, base.revenue],
        value: later - before,
        relative: Math.abs(later - before) * 10,
        tolerance:
          findQuotientTolerance(now.profit.number, now.revenue.number) +
          findQuotientTolerance(base.profit.number, base.revenue.number),
        arithmetic: `${told(base, before)} → ${told(now, later)}`,
        negative: false,
      });
    }
  }
  const clear = seen.filter(({ value, tolerance, negative }) => Math.abs(value) > tolerance && !negative);
  if (clear.length === 0 || new Set(clear.map(({ value }) => Math.sign(value))).size > 1) return [];
  const [one] = clear;
  const holds = Math.sign(one!.value) === statement.direction;
  if (statement.direction === 0 && one!.relative <= 0.1) return [];
  if (statement.direction !== 0 && !holds && placed.several && statement.period === null) return [];
  const arithmetic = `${one!.arithmetic}, stated “${statement.text}”`;
  return draftStatement(placed, 'direction', holds, arithmetic, one!.cells, Math.abs(one!.value));
}

/** What came against what was planned, in the same line. */
function pairWithPlan(statement: Statement, index: CellIndex): { now: Match; base: Match }[] {
  const words = new Set([...statement.words, 'budget']);
  const cells = (planned: boolean): Match[] =>
    selectPeriodOrAny(
      index.matching(
        {
          ...statement,
          words,
          modifiers: [...statement.modifiers.filter((word) => word !== 'budget'), ...(planned ? ['budget'] : [])],
          planned,
        },
        (match) => !isDerived(match) && !isRate(match),
      ),
      statement.period,
    );
  const plans = cells(true);
  return cells(false).flatMap((now) =>
    plans
      .filter(({ grid, row, column }) => grid === now.grid && (row === now.row || column === now.column))
      .map((base) => ({ now, base })),
  );
}

function selectPeriodOrAny(matches: readonly Match[], period: string | null): Match[] {
  const named = selectPeriodOrNone(matches, period);
  return selectClosest(named.length > 0 ? named : matches);
}

/** The change between two periods of one measure, in all ways that a statement may mean it. */
function pairPeriods(placed: PlacedStatement, index: CellIndex): { now: Match; base: Match }[] {
  const { statement } = placed;
  const rates =
    /margin/.test(statement.metric) ||
    /(?<!\b(?:exchange|interest|currency) )\b(?:rate|ratio|margin|percentage|share|yield)s?\b/i.test(placed.sentence);
  if (statement.base === planBase) return pairWithPlan(statement, index);
  const values = index.matching(statement, (match) => !isDerived(match) && (rates || !isRate(match)));
  const unknown = statement.period === null && placed.several;
  const found = (unknown ? values : selectInPeriod(values, statement.period)).flatMap((now) => {
    // Where nothing is said, a quarter may be held against the last one or against that of the year before.
    const bases =
      statement.base !== null || now.number.period === null || findImpliedBase(now.number.period) !== null
        ? [statement.base]
        : [findYearBefore(now.number.period), 'previous'];
    return [...new Set(bases.map((base) => findEarlier(now, values, base)))].flatMap((base) =>
      base === null ? [] : [{ now, base }],
    );
  });
  // Where nothing is said, a year is compared with the year before, and not a quarter with the last one.
  const yearly =
    statement.period === null
      ? found.filter(({ now, base }) => findYearBefore(now.number.period!) === base.number.period)
      : [];
  const kept = yearly.length > 0 ? yearly : found;
  const best = selectClosest(kept.map(({ now }) => now));
  return kept.filter(({ now }) => best.includes(now));
}
