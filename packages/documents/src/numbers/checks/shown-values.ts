import type { Grid } from '../tables/grid.ts';
import { isSamePeriod } from '../values/scan-periods.ts';

/** What the tables of a dossier show for each period: two numbers that both stand there are of two things. */
export class ShownValues {
  readonly #byPeriod = new Map<string, { value: number; precision: number; scaled: boolean; percent: boolean }[]>();

  constructor(grids: readonly Grid[]) {
    for (const { cells } of grids) {
      for (const { number } of cells) {
        const { period, value, precision, scaled, unit, dash } = number;
        if (period === null || dash) continue;
        const known = this.#byPeriod.get(period) ?? [];
        known.push({ value: Math.abs(value), precision, scaled, percent: unit === '%' });
        this.#byPeriod.set(period, known);
      }
    }
  }

  /** Whether a cell of the period has a value, in whatever it is counted where its table does not say so. */
  has(period: string, value: number, precision: number, percent: boolean): boolean {
    return [...this.#byPeriod].some(
      ([own, values]) =>
        isSamePeriod(own, period) &&
        values.some(
          (shown) =>
            shown.percent === percent &&
            (shown.scaled || percent ? [1] : [1, 1e3, 1e6]).some(
              (scale) => Math.abs(shown.value * scale - Math.abs(value)) <= precision + shown.precision * scale,
            ),
        ),
    );
  }
}
