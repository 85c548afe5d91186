import {
  formatFigure,
  formatValue,
  isWithin,
  type Draft,
  draftStatement,
  type PlacedStatement,
  findQuotientTolerance,
} from './draft-finding.ts';
import {
  selectClosest,
  selectClosestInPeriod,
  isChangeLine,
  isDerived,
  isRate,
  isWhole,
  type CellIndex,
  type Match,
} from './match-cells.ts';
import { headlineMetrics } from '../values/find-measures.ts';
import type { NumberCell } from '../tables/grid.ts';
import type { Statement } from '../statements/read-statements.ts';

/** What a measure is said to come to, against the cell that shows it. */
export function checkLevel(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const rate = statement.unit === '%';
  const all = index.matching(
    statement,
    (match) =>
      isRate(match) === rate &&
      !isWhole(match) &&
      !isChangeLine(match) &&
      (rate || !isDerived(match)) &&
      sameKindOfCount(statement, match.number),
  );
  if (statement.period === 'previous') return [];
  if (
    statement.period === null &&
    placed.several &&
    all.length > 0 &&
    !all.some(({ number }) => agreesWith(statement, number))
  )
    return [];
  const dated = selectClosestInPeriod(all, statement.period);
  // A table of budget and actual has one period, and seldom names it.
  const now =
    dated.length === 0 && statement.planned !== null && all.every(({ number }) => number.period === null)
      ? selectClosest(all)
      : dated;
  if (now.length === 0) return rate ? checkMargin(placed, index) : checkOtherPeriods(placed, all);
  const held = now.find((match) => agreesWith(statement, match.number));
  if (held !== undefined)
    return draftStatement(placed, 'statement-against-table', true, `${statement.text} = ${held.number.text}`, [held]);
  const [first] = now;
  const sameValue =
    new Set(now.map(({ number }) => number.value)).size === 1 ||
    now.every(({ grid }) => grid === first!.grid && now.length === 1);
  const factor = now.map((match) => findPowerBetween(statement, match.number)).find((power) => power !== null);
  if (factor !== undefined) {
    if (statement.unsure) return [];
    const times = factor < 1 ? `1/${Math.round(1 / factor)}` : factor;
    const arithmetic =
      factor === 1
        ? `${statement.text} is in ${statement.unit}, ${first!.number.text} in ${first!.number.unit}`
        : `${statement.text} against ${first!.number.text} ${formatScaled(first!)}: a factor of ${times}`;
    return draftStatement(
      placed,
      'units',
      false,
      arithmetic,
      [first!],
      Math.abs(statement.value - first!.number.value),
    );
  }
  const swapped = all.find(
    (match) => !now.includes(match) && match.grid === first!.grid && agreesWith(statement, match.number),
  );
  if (statement.unsure || statement.loose || !sameValue) return [];
  const gap = Math.abs(Math.abs(statement.value) - Math.abs(first!.number.value));
  if (swapped !== undefined) {
    const isClear = Math.abs(statement.value) > (placed.several ? 100 : 15) * statement.precision;
    if (statement.period === null || !isClear) return [];
    const named = `${first!.number.period} has ${first!.number.text}`;
    const arithmetic = `${statement.text} is the value of ${swapped.number.period}; ${named}`;
    return draftStatement(placed, 'period', false, arithmetic, [first!, swapped], gap);
  }
  const quotient = Math.abs(statement.value / first!.number.value);
  const wide = statement.period !== null && statement.main && headlineMetrics.has(statement.metric) ? 10 : 3.3;
  if (!(quotient > 1 / wide && quotient < wide) || !isCommensurate(statement, first!.number)) return [];
  const shown = `${formatFigure(first!.number)} ${formatScaled(first!)}`;
  const arithmetic = `stated ${statement.text}, the table has ${shown}`.trim();
  return draftStatement(placed, 'statement-against-table', false, arithmetic, now.slice(0, 2), gap);
}

/** The very value, to the digit, but of another period than the one that is named, which the table does not have. */
function checkOtherPeriods(placed: PlacedStatement, all: readonly Match[]): Draft[] {
  const { statement } = placed;
  const { period } = statement;
  if (
    period === null ||
    statement.unsure ||
    statement.loose ||
    Math.abs(statement.value) < 200 * statement.precision ||
    !/^(?:FY\d{4}|[QH]\d \d{4})$/.test(period)
  )
    return [];
  const same = selectClosest(all).filter(
    ({ number }) =>
      number.period !== null &&
      number.period.slice(0, 1) === period.slice(0, 1) &&
      isWithin(Math.abs(number.value), Math.abs(statement.value), number.precision),
  );
  if (same.length !== 1) return [];
  const arithmetic = `${statement.text} is the value of ${same[0]!.number.period}, stated for ${period}`;
  return draftStatement(placed, 'period', false, arithmetic, same);
}

const formatScaled = ({ number }: Match): string =>
  Math.abs(number.value) !== Math.abs(number.shown) && number.unit !== '%' ? `(${formatValue(number.value)})` : '';

export const profitMeasures: Record<string, readonly string[]> = {
  grossmargin: ['grossprofit'],
  operatingmargin: ['operatingprofit'],
  netmargin: ['netprofit', 'profit'],
  ebitdamargin: ['ebitda'],
  margin: ['operatingprofit', 'netprofit', 'grossprofit', 'profit', 'ebitda'],
};

/** A margin that no table states, from the profit and the revenue that one does. */
function checkMargin(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const quotient = findMarginCells(placed, index, statement.period);
  if (quotient === null) return [];
  const { profit, revenue } = quotient;
  const value = profit.number.value / revenue.number.value;
  const holds = isWithin(
    value,
    statement.value,
    statement.precision + findQuotientTolerance(profit.number, revenue.number) + (statement.loose ? 0.01 : 0),
  );
  if (!holds && (statement.unsure || statement.loose || Math.abs(value - statement.value) > 0.3)) return [];
  const quoted = `${profit.number.text} / ${revenue.number.text} = ${formatValue(value, true)}`;
  const gap = Math.abs(value - statement.value);
  return draftStatement(placed, 'margin', holds, `${quoted}, stated ${statement.text}`, [profit, revenue], gap);
}

export function findMarginCells(
  { statement }: PlacedStatement,
  index: CellIndex,
  period: string | null,
): { profit: Match; revenue: Match } | null {
  const found: { profit: Match; revenue: Match }[] = [];
  for (const word of profitMeasures[statement.metric] ?? []) {
    const words = new Set([...statement.words, word, 'revenue']);
    const profits = selectClosestInPeriod(
      index.matching({ ...statement, metric: word, words }, (match) => !isRate(match) && !isDerived(match)),
      period,
    );
    for (const profit of profits) {
      const revenues =
        ['revenue', 'income']
          .map((whole) =>
            selectClosestInPeriod(
              index.matching(
                { ...statement, metric: whole, words: new Set([...words, whole]) },
                (match) =>
                  match.grid === profit.grid &&
                  !isRate(match) &&
                  !isDerived(match) &&
                  (match.column === profit.column || match.row === profit.row),
              ),
              period,
            ),
          )
          .find((some) => some.length > 0) ?? [];
      if (revenues.length === 1) found.push({ profit, revenue: revenues[0]! });
    }
    if (found.length > 0) break;
  }
  return found.length === 1 ||
    new Set(found.map(({ profit, revenue }) => profit.number.value / revenue.number.value)).size === 1
    ? found[0]!
    : null;
}

export function agreesWith(statement: Statement, number: NumberCell): boolean {
  const left = Math.abs(statement.value);
  // Where a table is in thousands, the prose around it often is too, without saying so.
  if (
    statement.bare &&
    number.scaled &&
    statement.unit !== '%' &&
    isWithin(left, Math.abs(number.shown), statement.precision + number.shownPrecision)
  )
    return sameCurrency(statement, number);
  const readings =
    number.unit === null && statement.unit === '%'
      ? [
          [number.shown, number.shownPrecision],
          [number.shown / 100, number.shownPrecision / 100],
        ]
      : [[number.value, number.precision]];
  // A number without a scale in a table that states none may be meant in the sentence's.
  if (!number.scaled && number.unit !== '%' && statement.unit !== '%')
    for (const scale of [1e3, 1e6, 1e9])
      if (Math.abs(statement.value) >= scale) readings.push([number.shown * scale, number.shownPrecision * scale]);
  return readings.some(([value, precision]) => {
    const right = Math.abs(value!);
    if (isWithin(left, right, statement.precision + precision!)) return sameCurrency(statement, number);
    return statement.loose && Math.abs(left - right) <= Math.max(0.06 * left, 2 * statement.precision);
  });
}

function sameCurrency(statement: Statement, number: NumberCell): boolean {
  const money = /^[A-Z]{3}$/;
  return !(
    statement.unit !== null &&
    number.unit !== null &&
    money.test(statement.unit) &&
    money.test(number.unit) &&
    statement.unit !== number.unit
  );
}

/** The factor of ten that is between two numbers with the same digits; null when there is none. */
function findPowerBetween(statement: Statement, number: NumberCell): number | null {
  if (statement.value === 0 || number.value === 0 || statement.unit === '%' || (!number.scaled && number.unit === null))
    return null;
  // Lakh and crore are other steps than thousands.
  for (const power of [1e3, 1e-3, 1e6, 1e-6, ...(number.unit === 'INR' ? [10, 0.1, 100, 0.01, 1e5, 1e-5] : [])]) {
    if (
      isWithin(
        Math.abs(statement.value),
        Math.abs(number.value) * power,
        statement.precision + number.precision * power,
      ) &&
      (Math.abs(statement.value) > 150 * statement.precision ||
        (statement.unit !== null && Math.abs(statement.value) > 20 * statement.precision))
    )
      return power;
  }
  return isWithin(Math.abs(statement.value), Math.abs(number.value), statement.precision + number.precision) &&
    !sameCurrency(statement, number)
    ? 1
    : null;
}

/** Money against money, people against people: what is not known may be either. */
function isCommensurate(statement: Statement, number: NumberCell): boolean {
  return statement.unit === '%' || number.scaled || Math.abs(statement.value) < 1e6 || number.shown === number.value;
}

function sameKindOfCount(statement: Statement, number: NumberCell): boolean {
  const money = /^[A-Z]{3}$/;
  return !(statement.unit !== null && money.test(statement.unit) && number.unit !== null && !money.test(number.unit));
}
