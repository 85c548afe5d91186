import { findQuotientTolerance, formatValue, isWithin, type Draft } from './draft-finding.ts';
import { selectClosestInPeriod, isDerived, isRate, type CellIndex, type Match } from './match-cells.ts';
import { draftStatement, type PlacedStatement } from './placed-statement.ts';

export const profitMeasures: Record<string, readonly string[]> = {
  grossmargin: ['grossprofit'],
  operatingmargin: ['operatingprofit'],
  netmargin: ['netprofit', 'profit'],
  ebitdamargin: ['ebitda'],
  margin: ['operatingprofit', 'netprofit', 'grossprofit', 'profit', 'ebitda'],
};

/** A margin that no table states, from the profit and the revenue that one does. */
export function checkMargin(placed: PlacedStatement, index: CellIndex): Draft[] {
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
  return [
    draftStatement(
      placed,
      'margin',
      holds,
      `${profit.number.text} / ${revenue.number.text} = ${formatValue(value, true)}, stated ${statement.text}`,
      [profit, revenue],
      Math.abs(value - statement.value),
    ),
  ];
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
