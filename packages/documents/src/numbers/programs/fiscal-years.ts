import type { ReportDocument } from '../../document.ts';
import { pattern } from '@agonhq/engine/text';
import type { Grid } from '../tables/grid.ts';
import type { TypedTable } from './typed-table.ts';

/*
 * A year of 52 weeks may end in January or February, and is called after that year by some and after the one before by
 * others: a report says which where it names its years and their ends in one breath.
 */

const endThenName = pattern('gi')`
  \bend(?:ed|ing|s)(?: on)? (?:january|february) \d{1,2},? (?<end>20\d\d)[^.;\d]{0,30}?
  \bfiscal(?: year)? (?<name>20\d\d)\b`;
const nameThenEnd = pattern('gi')`
  \bfiscal(?: year)? (?<name>20\d\d)\b[^.;\d]{0,60}?\bend(?:ed|ing|s)(?: on)? (?:january|february) \d{1,2},?
  (?<end>20\d\d)\b`;

const shifts = new WeakMap<ReportDocument, number | null>();

/** How many years after its name a fiscal year ends, 0 or 1; null where the report does not say, or says both. */
function findShift(document: ReportDocument): number | null {
  let shift = shifts.get(document);
  if (shift === undefined) {
    const said = [endThenName, nameThenEnd]
      .flatMap((expression) => [...document.text.matchAll(expression)])
      .map(({ groups }) => Number(groups!['end']) - Number(groups!['name']))
      .filter((years) => years === 0 || years === 1);
    const [first] = said;
    shifts.set(document, (shift = first !== undefined && said.every((years) => years === first) ? first : null));
  }
  return shift;
}

/** The period as the table has it: "fiscal 2023" is the column of February 3, 2024 where the report says so. */
export function alignYear(period: string, { grid }: TypedTable): string {
  if (!/^FY\d{4}$/.test(period)) return period;
  const early = listEarlyEnds(grid);
  const shift = early.length === 0 ? null : findShift(grid.document);
  if (shift === null) return period;
  return early.find((date) => Number(date.slice(0, 4)) === Number(period.slice(2)) + shift) ?? period;
}

const earlyEnds = new WeakMap<Grid, readonly string[]>();

/** The days in January and February that a table's figures are of. */
function listEarlyEnds(grid: Grid): readonly string[] {
  let ends = earlyEnds.get(grid);
  if (ends === undefined) {
    const periods = grid.cells.map(({ number }) => number.period ?? '');
    earlyEnds.set(grid, (ends = [...new Set(periods.filter((period) => /^\d{4}-0[12]-\d\d$/.test(period)))]));
  }
  return ends;
}
