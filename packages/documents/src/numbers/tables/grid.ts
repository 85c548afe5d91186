import type { Block, Cell, ReportDocument } from '../../document.ts';
import type { NumberPlace } from '../finding.ts';
import type { Basis } from '../values/read-basis.ts';
import { pattern } from '@agonhq/engine/text';

/** A row or a column of a table, with what its header says. */
export interface GridLine {
  index: number;
  label: string;
  words: readonly string[];
  /** The words of the total that it is a part of. */
  whole: readonly string[];
  /** The row that holds that total. */
  total: number | null;
  period: string | null;
  /** The heading inside the table that a row stands under. */
  group: string;
  /** What its header says of units. */
  scale: number | null;
  unit: string | null;
}

/** A cell that holds a number. */
export interface NumberCell {
  cell: Cell;
  /** As shown, before scaling; a percentage is a fraction. */
  shown: number;
  /** Half of the last digit shown, before scaling. */
  shownPrecision: number;
  /** In base units. */
  value: number;
  precision: number;
  /** In base units, where the file has the number itself, and not only how it is shown; null in print. */
  exact: number | null;
  unit: string | null;
  /** The table, its header or the cell says what it is counted in. */
  scaled: boolean;
  period: string | null;
  /** As restated, as first reported; null for the figure of the books. */
  basis: Basis | null;
  text: string;
  dash: boolean;
}

/** A table with its numbers read: what the checks work on. */
export interface Grid {
  document: ReportDocument;
  block: Block;
  id: string;
  /** What stands above the table and in its title rows. */
  title: string;
  titleWords: readonly string[];
  /** What narrows the measure of the title down: "subscription" of "Subscription revenue by region". */
  titleModifiers: readonly string[];
  rows: readonly GridLine[];
  columns: readonly GridLine[];
  at: (row: number, column: number) => NumberCell | undefined;
  cells: readonly { row: number; column: number; number: NumberCell }[];
}

/** Where a number of a table stands. */
export function locateNumber(grid: Grid, { cell }: NumberCell): NumberPlace {
  return {
    block: grid.id,
    start: cell.start,
    end: cell.end,
    cell: { row: cell.row, column: cell.column, ...(cell.address === undefined ? {} : { address: cell.address }) },
  };
}

/** A table seen by its rows, or turned over and seen by its columns: checks are written once for both. */
export interface View {
  grid: Grid;
  lines: readonly GridLine[];
  items: readonly GridLine[];
  at: (line: number, item: number) => NumberCell | undefined;
  /** The lines are the rows of the table. */
  upright: boolean;
}

export function listViews(grid: Grid): readonly View[] {
  return [
    { grid, lines: grid.rows, items: grid.columns, at: grid.at, upright: true },
    { grid, lines: grid.columns, items: grid.rows, at: (line, item) => grid.at(item, line), upright: false },
  ];
}

/* What the header of a line says of the numbers in it. */

/** A rate and not an amount. */
export const ratioName = pattern('i')`
  %|\b(?:margins?|growth|shares? of|percent(?:age)?|rate|ratio|yoy|y\/y|change|variance|mix|weight|proportion|yield
  |utili[sz]ation|occupancy|churn|bps|pp)\b|\bshare\b(?!s| capital| premium|holder)`;

/** A change between two others. */
export const growthName = pattern('i')`
  \b(?:growth|change|yoy|y\/y|y-o-y|qoq|variance|increase|decrease|difference|movement|vs)\b
  |\bdelta\b(?=\s*(?:$|[%(,:]))
  |\b(?:var|diff)(?:\.|\s?\(?%)|[Δ∆±]|\+\s?\/\s?[-−–]|^\+\s?%$`;

export const shareName = pattern('i')`
  \b(?:share(?=\s*$|\s+of\b|\s*[(%,])|mix|weight|weighting|proportion|contribution|portion)\b
  |(?:%|percent(?:age)?)\s+(?:of|to)\b`;

/** What was planned, and not what came. */
export const planName = /\b(?:budget(?:ed)?|plan(?:ned)?|target|forecast)\b/i;
