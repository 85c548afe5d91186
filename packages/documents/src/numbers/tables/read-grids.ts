import type { Block, ReportDocument, Table } from '../../document.ts';
import type { Steps } from '../../run-tasks.ts';
import type { Grid, GridLine, NumberCell } from './grid.ts';
import { readPeriod } from '../values/scan-periods.ts';
import { readGrid } from './read-grid.ts';
import { readCellNumber, readStatedScale, type DecimalMark } from '../values/scan-numbers.ts';
import { pattern } from '@agonhq/engine/text';

/** Every table of a document that has numbers in it. */
export function* readDocumentGrids(document: ReportDocument, mark: DecimalMark): Steps<Grid[]> {
  const general = findGeneralScale(document.text);
  const grids: Grid[] = [];
  let before: Block[] = [];
  for (const block of document.blocks) {
    if (block.table !== undefined) {
      for (const part of splitTable(block.table)) {
        yield;
        const grid = readGrid(document, block, part, before, general, mark);
        if (grid !== null) grids.push(grid);
        before = [];
      }
    } else {
      before = [...before.slice(-1), block];
    }
  }
  return grids.map((grid) => adoptScale(grid, grids));
}

const generalScale = pattern('gi')`
  \b(?:figures|amounts|numbers|values|data)\b[^.\n]{0,80}?\bin\b[^.\n]{0,40}?\b
  (?:thousands|millions|billions)\b[^.\n]{0,40}`;

/** "All figures in millions of euros": holds for every table that says nothing else, unless said in two ways. */
function findGeneralScale(text: string): string {
  const said = [...text.matchAll(generalScale)].map(([match]) => match);
  return new Set(said.map((match) => readStatedScale(match).scale)).size === 1 ? said[0]! : '';
}

/** Tables that a page sets right below each other may come as one: a second row of periods starts the next. */
function splitTable(table: Table): Table[] {
  const starts = [0];
  const byRow = Map.groupBy(
    table.cells.filter(({ text }) => text.trim() !== ''),
    ({ row }) => row,
  );
  let hasNumbers = false;
  for (let row = 1; row < table.rows - 1; row++) {
    hasNumbers ||= (byRow.get(row - 1) ?? []).some(({ column, text }) => column > 0 && isAmount(text));
    // A header has several rows: what starts another table stands below numbers.
    if (row < 2 || !hasNumbers) continue;
    const cells = byRow.get(row) ?? [];
    const heads = cells.filter((cell) => cell.column > 0);
    const named = heads.filter(
      ({ text }) => /^(?:[^\d]*)$/.test(text) || (readPeriod(text) !== null && text.length < 30),
    );
    if (
      heads.length >= 2 &&
      named.length === heads.length &&
      heads.filter(({ text }) => readPeriod(text) !== null).length >= Math.min(2, heads.length)
    ) {
      starts.push(byRow.get(row - 1)?.length === 1 ? row - 1 : row);
      hasNumbers = false;
    }
  }
  if (starts.length === 1) return [table];
  return starts.map((start, index) => ({
    ...table,
    caption: index === 0 ? (table.caption ?? '') : '',
    cells: table.cells.filter(({ row }) => row >= start && row < (starts[index + 1] ?? table.rows)),
  }));
}

function isAmount(text: string): boolean {
  const number = readCellNumber(text);
  return number !== null && !number.year && readPeriod(text) === null;
}

/** A table without a scale that shows the same value of the same line as one with a scale is in that scale. */
function adoptScale(grid: Grid, grids: readonly Grid[]): Grid {
  if (grid.cells.some(({ number }) => number.scaled)) return grid;
  const key = (row: GridLine, { shown, period }: NumberCell): string => `${row.words.join(' ')}|${period}|${shown}`;
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
            exact: one.number.exact === null ? null : one.number.exact * scale,
            unit: one.number.unit ?? model.unit,
            scaled: true,
          },
        },
  );
  const index = new Map(cells.map((one) => [`${one.row}:${one.column}`, one.number]));
  return { ...grid, cells, at: (row, column) => index.get(`${row}:${column}`) };
}
