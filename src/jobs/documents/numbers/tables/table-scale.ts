import type { Grid, Line, NumberCell } from './grid.ts';

/**
 * A table that says nothing of its scale but shows the same value of the same line as one that does is in the same
 * scale.
 */
export function adoptScale(grid: Grid, grids: readonly Grid[]): Grid {
  if (grid.cells.some(({ number }) => number.scaled)) return grid;
  const key = (row: Line, { shown, period }: NumberCell): string => `${row.words.join(' ')}|${period}|${shown}`;
  const own = new Set(
    grid.cells
      .filter(({ number }) => number.unit !== '%' && Math.abs(number.shown) > 200 * number.shownPrecision)
      .map(({ row, number }) => key(grid.rows[row]!, number)),
  );
  const same = grids
    .filter((other) => other !== grid)
    .flatMap((other) =>
      other.cells.filter(
        ({ row, number }) => number.scaled && number.value !== number.shown && own.has(key(other.rows[row]!, number)),
      ),
    )
    .map(({ number }) => number);
  const [model] = same;
  if (model === undefined || new Set(same.map(({ value, shown }) => value / shown)).size > 1) return grid;
  const scale = model.value / model.shown;
  const cells = grid.cells.map((one) =>
    one.number.unit === '%' || one.number.unit === 'pp'
      ? one
      : {
          ...one,
          number: {
            ...one.number,
            value: one.number.value * scale,
            precision: one.number.precision * scale,
            unit: one.number.unit ?? model.unit,
            scaled: true,
          },
        },
  );
  const index = new Map(cells.map((one) => [`${one.row}:${one.column}`, one.number]));
  return { ...grid, cells, at: (row, column) => index.get(`${row}:${column}`) };
}
