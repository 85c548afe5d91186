import { formatBlockId, type ReportDocument } from '../document.ts';
import type { Quantity } from './finding.ts';
import { locateNumber } from './tables/grid.ts';
import { listMeasureWords } from './values/find-measures.ts';
import { scanPeriods } from './values/scan-periods.ts';
import { readGrids, listSentences } from './read-numbers.ts';
import { detectDecimalMark, scanNumbers } from './values/scan-numbers.ts';

/**
 * The numbers of a document with unit, scale and period.
 *
 * ```ts
 * quantitiesIn(report).filter(({ measure }) => measure.includes('Revenue'));
 * ```
 */
export function quantitiesIn(document: ReportDocument): Quantity[] {
  const mark = detectDecimalMark(document.text);
  const fromTables = readGrids(document).flatMap((grid) =>
    grid.cells
      .filter(({ number }) => !number.dash)
      .map(({ row, column, number }): Quantity => ({
        value: number.value,
        text: number.text,
        unit: number.unit,
        precision: number.precision,
        period: number.period,
        measure: [grid.rows[row]!.group, grid.rows[row]!.label, grid.columns[column]!.label]
          .filter((text) => text !== '')
          .join(' · '),
        place: locateNumber(grid, number),
      })),
  );
  const fromText = listSentences(document).flatMap(({ block, start, text }) => {
    const periods = scanPeriods(text);
    return scanNumbers(text, mark)
      .filter(
        (number) => !number.year && !periods.some((period) => number.start < period.end && number.end > period.start),
      )
      .map((number): Quantity => {
        const factor = number.unit === '%' || number.unit === 'pp' ? 1 : (number.scale ?? 1);
        const nearest = periods.toSorted(
          (left, right) => Math.abs(left.start - number.start) - Math.abs(right.start - number.start),
        )[0];
        return {
          value: number.value * factor,
          text: number.text,
          unit: number.unit,
          precision: number.precision * factor,
          period: nearest?.period ?? null,
          measure: listMeasureWords(text).join(' '),
          place: { block: formatBlockId(document, block), start: start + number.start, end: start + number.end },
        };
      });
  });
  return [...fromTables, ...fromText].toSorted((left, right) => left.place.start - right.place.start);
}
