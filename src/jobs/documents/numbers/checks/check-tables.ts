import { draftFinding, listPlaces, isWithin, type Draft } from './draft-finding.ts';
import type { Grid, Line, NumberCell } from '../tables/grid.ts';

interface Seen {
  grid: Grid;
  row: Line;
  number: NumberCell;
}

/**
 * The same line of the same period in two tables. Tables that share some values by name and period show the same
 * thing: where one of them differs, one is wrong.
 */
export function checkTables(grids: readonly Grid[], enough: number): Draft[] {
  const seen = new Map<string, Seen[]>();
  const pairs: { one: Seen; other: Seen; agrees: boolean }[] = [];
  for (const grid of grids) {
    const named = new Map<string, Seen | null>();
    for (const { row, column, number } of grid.cells) {
      const key = formatCellKey(grid.rows[row]!, grid.columns[column]!, number);
      // What a table shows twice under one name, it tells apart in a way that was not read.
      if (key !== null) named.set(key, named.has(key) ? null : { grid, row: grid.rows[row]!, number });
    }
    for (const [key, one] of named) {
      if (one === null) continue;
      const others = seen.get(key) ?? [];
      for (const other of others)
        pairs.push({
          one,
          other,
          agrees: isWithin(one.number.value, other.number.value, one.number.precision + other.number.precision),
        });
      seen.set(key, [...others, one]);
    }
  }
  return [
    ...Map.groupBy(
      pairs,
      ({ one, other }) => `${one.grid.id}:${one.grid.rows[0]!.label}|${other.grid.id}:${other.grid.rows[0]!.label}`,
    ).values(),
  ].flatMap((together) => {
    const differ = together.filter(({ agrees }) => !agrees);
    const held = together.filter(({ agrees }) => agrees);
    if (differ.length !== 1 || held.length < enough) return [];
    const [{ one, other }] = differ as [(typeof pairs)[number]];
    const inRow = held.some((pair) => pair.one.row === one.row);
    const inPeriod = held.some((pair) => pair.one.number.period === one.number.period);
    const quotient = one.number.value / other.number.value;
    if (!inRow || !inPeriod || !(quotient > 0.1 && quotient < 10)) return [];
    const name = [one.row.label, one.number.period].join(', ');
    return [
      draftFinding(
        'text-against-text',
        false,
        `“${name}” is ${one.number.text} in one table and ${other.number.text} in another.`,
        `${one.number.text} ≠ ${other.number.text}`,
        [...listPlaces(one.grid, one.number), ...listPlaces(other.grid, other.number)],
        Math.abs(one.number.value - other.number.value),
      ),
    ];
  });
}

function formatCellKey(
  row: Line,
  column: Line,
  { unit, period, dash, shown, shownPrecision }: NumberCell,
): string | null {
  if (
    row.words.length === 0 ||
    period === null ||
    dash ||
    unit === '%' ||
    unit === 'pp' ||
    Math.abs(shown) < 50 * shownPrecision
  )
    return null;
  return [row.words.join(' '), column.words.join(' '), period, unit].join('|');
}
