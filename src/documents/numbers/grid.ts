import { blockId, type Block, type Cell, type ReportDocument, type Table } from '../document.ts';
import { namesTable } from '../caption-words.ts';
import { additiveRows } from './additive.ts';
import type { Place } from './finding.ts';
import { namesOf, withoutPeriods, withoutUnits } from './labels.ts';
import { headlineMetrics, measureWords, metricWords } from './measure-words.ts';
import { periodOf, samePeriod, yearOf } from './periods.ts';
import { inScaleOf } from './table-scale.ts';
import { numberOfCell, statedScale, type DecimalMark } from './scan-numbers.ts';

/** A row or a column of a table, with what its header says. */
export interface Line {
  index: number;
  label: string;
  words: readonly string[];
  /** The words of the total that it is a part of. */
  whole: readonly string[];
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
  unit: string | null;
  /** The table, its header or the cell says what it is counted in. */
  scaled: boolean;
  period: string | null;
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
  sectionWords: readonly string[];
  /** What narrows the measure of the title down: "subscription" of "Subscription revenue by region". */
  titleModifiers: readonly string[];
  rows: readonly Line[];
  columns: readonly Line[];
  at: (row: number, column: number) => NumberCell | undefined;
  cells: readonly { row: number; column: number; number: NumberCell }[];
}

const counts = /\b(?:headcount|employees|staff|fte|ftes|full-time equivalents?|clients|people|workforce|customers|subscribers|users|units|stores|shares outstanding|number of|patients|students|volume)\b(?![^·]*\b(?:costs?|expenses?|pay|payroll|salaries|wages|revenues?|sales|fees|income|spending)\b)/i;
const perOne = /\bper (?:common |ordinary |diluted |basic )?(?:share|unit|user|customer|employee|store|head|capita|tonne|ton|hour|day)\b|\bEPS\b|\bprice\b/i;
/** Lines that are a rate and not an amount. */
export const ratio = /%|\b(?:margins?|growth|shares? of|percent(?:age)?|rate|ratio|yoy|y\/y|change|variance|mix|weight|proportion|yield|utili[sz]ation|occupancy|churn|bps|pp)\b|\bshare\b(?!s| capital| premium|holder)/i;

/** Every table of a document that has numbers in it. */
export function gridsOf(document: ReportDocument, mark: DecimalMark): Grid[] {
  const general = generalScale(document.text);
  const grids: Grid[] = [];
  let before: Block[] = [];
  for (const block of document.blocks) {
    if (block.table !== undefined) {
      for (const part of partsOf(block.table)) {
        const grid = gridOf(document, block, part, before, general, mark);
        if (grid !== null) grids.push(grid);
        before = [];
      }
    } else {
      before = [...before.slice(-1), block];
    }
  }
  return grids.map((grid) => inScaleOf(grid, grids));
}

/** "All figures in millions of euros": holds for every table that says nothing else, unless the document says it in two ways. */
function generalScale(text: string): string {
  const said = [...text.matchAll(/\b(?:figures|amounts|numbers|values|data)\b[^.\n]{0,80}?\bin\b[^.\n]{0,40}?\b(?:thousands|millions|billions)\b[^.\n]{0,40}/gi)].map(([match]) => match);
  return new Set(said.map((match) => statedScale(match).scale)).size === 1 ? said[0]! : '';
}

/** Tables that a page sets right below each other may come as one: a second row of periods starts the next. */
function partsOf(table: Table): Table[] {
  const starts = [0];
  for (let row = 2; row < table.rows - 1; row++) {
    const cells = table.cells.filter((cell) => cell.row === row && cell.text.trim() !== '');
    const heads = cells.filter((cell) => cell.column > 0);
    const named = heads.filter(({ text }) => /^(?:[^\d]*)$/.test(text) || (periodOf(text) !== null && text.length < 30));
    if (heads.length >= 2
      && named.length === heads.length
      && heads.filter(({ text }) => periodOf(text) !== null).length >= Math.min(2, heads.length)) starts.push(alone(table, row - 1) ? row - 1 : row);
  }
  if (starts.length === 1) return [table];
  return starts.map((start, index) => ({
    ...table, caption: index === 0 ? (table.caption ?? '') : '',
    cells: table.cells.filter(({ row }) => row >= start && row < (starts[index + 1] ?? table.rows)),
  }));
}

/** A row with one cell: a title. */
function alone(table: Table, row: number): boolean {
  return table.cells.filter((cell) => cell.row === row && cell.text.trim() !== '').length === 1;
}

function gridOf(document: ReportDocument, block: Block, table: Table, before: readonly Block[], general: string, mark: DecimalMark): Grid | null {
  const places = new Map<string, Cell>();
  for (const cell of table.cells) places.set(`${cell.row}:${cell.column}`, cell);
  const cellAt = (row: number, column: number): Cell | undefined => places.get(`${row}:${column}`);
  const textAt = (row: number, column: number): string => cellAt(row, column)?.text.trim() ?? '';

  const raw = new Map<string, ReturnType<typeof numberOfCell>>();
  for (const cell of table.cells) {
    if (/^[\s$€£¥)%]*$/.test(cell.text)) continue;
    const glueBefore = /^[$€£¥]\s*\(?$/.test(textAt(cell.row, cell.column - 1)) ? textAt(cell.row, cell.column - 1) : '';
    const next = textAt(cell.row, cell.column + 1);
    const glueAfter = /^(?:\)?\s*%|\)|pp|bps)$/.test(next) ? next : '';
    const number = numberOfCell(glueBefore + cell.text.trim() + glueAfter, mark);
    if (number !== null) raw.set(`${cell.row}:${cell.column}`, number);
  }
  const isValue = (row: number, column: number): boolean => {
    const number = raw.get(`${row}:${column}`);
    return number !== undefined && number !== null && !number.year;
  };
  const columnNumbers = Array.from({ length: table.columns }, (_, column) => column);
  const rowNumbers = [...new Set(table.cells.map(({ row }) => row))].toSorted((left, right) => left - right);

  let headerRows = 0;
  // A bare 1900 under a header that is there already, and beside a label, is a number and no year.
  const isYears = (row: number): boolean => {
    const shown = columnNumbers.slice(1).map((column) => raw.get(`${row}:${column}`)).filter((number) => number !== undefined && number !== null);
    const years = shown.map(({ value }) => value);
    return shown.length > 1
      && shown.every(({ year }) => year)
      && Math.max(...years) - Math.min(...years) <= 12
      && !measureWords(textAt(row, 0)).some((word) => metricWords.has(word));
  };
  const isBody = (row: number, column: number): boolean =>
    isValue(row, column)
      || (column > 0
        && !isYears(row)
        && raw.get(`${row}:${column}`)?.year === true
        && textAt(row, 0) !== ''
        && rowNumbers.some((above) => above < row && textAt(above, column) !== ''));
  while (headerRows < rowNumbers.length && !columnNumbers.some((column) => isBody(rowNumbers[headerRows]!, column))) headerRows++;
  if (headerRows === rowNumbers.length) return null;
  const filled = (row: number): number => columnNumbers.filter((column) => textAt(row, column) !== '').length;
  const widest = rowNumbers.slice(0, headerRows).findLastIndex((row) => filled(row) > 1);
  if (widest >= 0) headerRows = widest + 1;
  const body = rowNumbers.slice(headerRows);

  let labelColumns = 0;
  while (labelColumns < table.columns) {
    const column = labelColumns;
    const shown = body.filter((row) => textAt(row, column) !== '');
    const dated = column === 0 || rowNumbers.slice(0, headerRows).some((row) => /\b(?:year|period|fiscal|date|vintage|maturity)\b/i.test(textAt(row, column)));
    const values = shown.filter((row) => isValue(row, column) || (!dated && raw.get(`${row}:${column}`)?.year === true)).length;
    if (shown.length > 0 && values > shown.length / 2) break;
    labelColumns++;
  }
  if (labelColumns === table.columns) return null;
  // A first column of running numbers or codes is no measure; one of bare years is the label and was passed above.
  labelColumns = Math.max(
    labelColumns,
    columnNumbers.some((column) => column > labelColumns && body.some((row) => isValue(row, column))) ? Math.min(table.headerColumns, 2) : 0,
    0,
  );

  const groups = mergedColumns(columnNumbers.slice(labelColumns), body, isValue, (row, column) => raw.get(`${row}:${column}`) !== undefined, textAt);
  const headerText = (columns: readonly number[]): string => {
    const parts: string[] = [];
    for (const row of rowNumbers.slice(0, headerRows)) {
      const cell = table.cells.find((candidate) => candidate.row === row
        && candidate.text.trim() !== ''
        && columns.some((column) => column >= candidate.column && column < candidate.column + (candidate.span?.columns ?? 1))
        && candidate.column >= labelColumns)
        ?? (row !== rowNumbers[headerRows - 1] && filled(row) > 1
          ? table.cells.findLast((candidate) => candidate.row === row
            && candidate.text.trim() !== ''
            && candidate.column < columns[0]!
            && candidate.column >= labelColumns
            && candidate.span === undefined)
          : undefined);
      if (cell !== undefined && parts.at(-1) !== cell.text.trim()) parts.push(cell.text.trim());
    }
    return parts.join(' ');
  };

  const titleRows = rowNumbers.slice(0, headerRows).flatMap((row) => columnNumbers.slice(
    0, Math.max(labelColumns, filled(row) === 1 ? table.columns : 0),
  ).map((column) => textAt(row, column)).filter((text) => text !== ''));
  const near = before.map((one) => document.text.slice(one.start, one.end)).filter((text) => text.length < 200);
  const title = [...new Set([...near, table.caption ?? '', ...titleRows])].filter((text) => text !== '').join(' · ');
  const stated = [
    titleRows.join(' '), table.caption ?? '', ...near.filter(namesTable).toReversed(), block.section.at(-1) ?? '', block.sheet ?? '', general,
  ].map((text) => statedScale(text));
  const tableScale = stated.find(({ scale }) => scale !== null)?.scale ?? null;
  const tableUnit = stated.find(({ unit }) => unit !== null && unit !== '%')?.unit ?? null;
  const titlePeriod = periodOf(table.caption ?? '')
    ?? periodOf(titleRows.join(' '))
    ?? periodOf(near.at(-1) ?? '')
    ?? block.section.toReversed().map((heading) => periodOf(heading)).find((period) => period !== null)
    ?? null;

  const line = (index: number, label: string, group: string): Line => {
    const { scale, unit } = statedScale(label);
    return { index, label, words: measureWords(withoutPeriods(withoutUnits(label))), whole: [], period: periodOf(label), group, scale, unit };
  };
  const columns = groups.map((group, index) => line(index, headerText(group), ''));
  const labelOf = (row: number): string => columnNumbers.slice(0, labelColumns).map((column) => textAt(row, column)).filter((text) => text !== '').join(' · ');
  const amountAt = (row: number, group: number): { value: number; precision: number } | null => {
    const column = groups[group]!.find((physical) => raw.get(`${row}:${physical}`) !== undefined);
    const number = column === undefined ? null : raw.get(`${row}:${column}`)!;
    return number === null || number.unit === '%' || number.unit === 'pp' || number.dash === true ? null : number;
  };
  const sums = additiveRows(
    body, groups.map((_, index) => index), amountAt,
    (row) => /\btotal\b/i.test(labelOf(row)) || measureWords(withoutPeriods(labelOf(row))).some((word) => headlineMetrics.has(word)),
  );
  const rows: Line[] = [];
  const cells: Grid['cells'][number][] = [];
  let group = '';
  for (const row of body) {
    const label = labelOf(row);
    const numbers = groups.map((physical) => physical.find((column) => raw.get(`${row}:${column}`) !== undefined));
    if (numbers.every((column) => column === undefined)) {
      if (label !== '') group = label;
      continue;
    }
    const whole = sums.get(row);
    const rowLine = { ...line(rows.length, label, group), whole: whole === undefined ? [] : measureWords(withoutPeriods(labelOf(whole))) };
    rows.push(rowLine);
    for (const [column, physical] of numbers.entries()) {
      if (physical === undefined) continue;
      const number = raw.get(`${row}:${physical}`)!;
      const columnLine = columns[column]!;
      const both = `${rowLine.label} ${columnLine.label}`;
      const own = number.unit === '%' || number.unit === 'pp';
      const rate = !own && (rowLine.unit === '%' || columnLine.unit === '%' || rowLine.unit === 'pp' || columnLine.unit === 'pp')
        ? 0.01
        : rowLine.unit === 'bps' || columnLine.unit === 'bps' ? (own ? 1 : 1e-4) : null;
      const unscaled = own
        || rate !== null
        || perOne.test(both)
        || (counts.test(both) && whole === undefined && tableUnit !== null && rowLine.scale === null && columnLine.scale === null)
        || (/\b(?:margin|rate|ratio|percentage|growth)\b/i.test(rowLine.label)
          && rowLine.unit === null
          && number.unit === null
          && Math.abs(number.value) < 1.5);
      const scale = number.scale ?? (unscaled ? (rate ?? 1) : (rowLine.scale ?? columnLine.scale ?? tableScale ?? 1));
      const unit = own
        ? number.unit
        : rate === null ? (number.unit
          ?? rowLine.unit
          ?? columnLine.unit
          ?? (unscaled || (counts.test(both) && whole === undefined) ? null : tableUnit)) : rowLine.unit === 'pp'
            || columnLine.unit === 'pp' ? 'pp' : rate === 1e-4 ? 'pp' : '%';
      cells.push({
        row: rowLine.index,
        column,
        number: {
          cell: cellAt(row, physical)!, shown: number.value, shownPrecision: number.precision, value: number.value * scale, precision: number.precision * scale, unit,
          scaled: number.scale !== null || rowLine.scale !== null || columnLine.scale !== null || tableScale !== null,
          period: joined(joined(columnLine.period, rowLine.period), titlePeriod), text: number.text, dash: number.dash === true,
        },
      });
    }
  }
  // What was read together with the paragraph above it is no title.
  const titles = [
    table.caption ?? '', ...titleRows, ...near.filter((text) => !/[.!?]\s*$/.test(text)),
  ].map((text) => text.split(/(?<=[.!?])\s+/).at(-1)!).map((text) => measureWords(withoutPeriods(text)));
  const titleModifiers = titles.flatMap((words) => words.filter((word, at) => !metricWords.has(word) && metricWords.has(words[at + 1] ?? '')));
  const index = new Map(cells.map((one) => [`${one.row}:${one.column}`, one.number]));
  return {
    document, block, id: blockId(document, block), title, titleWords: titles.flat(), sectionWords: measureWords([...block.section, ...namesOf(document, block)].join(' ')),
    titleModifiers, rows, columns, at: (row, column) => index.get(`${row}:${column}`), cells,
  };
}

/** Columns that are one to the eye: a currency sign, a number and a bracket often stand in cells of their own. */
function mergedColumns(
  columns: readonly number[], body: readonly number[], isValue: (row: number, column: number) => boolean, isNumber: (row: number, column: number) => boolean, textAt: (row: number, column: number) => string,
): number[][] {
  const groups: number[][] = [];
  for (const column of columns) {
    const last = groups.at(-1);
    const any = body.some((row) => isNumber(row, column));
    const clash = last !== undefined && body.some((row) => isNumber(row, column) && last.some((other) => isNumber(row, other)));
    const glued = last !== undefined
      && body.some((row) => isValue(row, column) && /^[$€£¥]\s*\(?$/.test(textAt(row, column - 1)) && last.includes(column - 1));
    if (!any && !body.some((row) => textAt(row, column) !== '' && /^[$€£¥]/.test(textAt(row, column)))) continue;
    if (last !== undefined && !clash && (glued || (!last.some((other) => body.some((row) => isNumber(row, other)))))) last.push(column);
    else groups.push([column]);
  }
  return groups.filter((group) => group.some((column) => body.some((row) => isNumber(row, column))));
}

function joined(column: string | null, row: string | null): string | null {
  if (column === null || row === null) return column ?? row;
  const [part, whole] = /^[QH]\d$/.test(column) ? [column, row] : [row, column];
  const year = yearOf(whole);
  if (/^[QH]\d$/.test(part) && year !== null) return samePeriod(part, whole) ? whole : `${part} ${year}`;
  return column;
}

/** Where a number of a table stands. */
export function placeOf(grid: Grid, { cell }: NumberCell): Place {
  return {
    block: grid.id, start: cell.start, end: cell.end,
    cell: { row: cell.row, column: cell.column, ...(cell.address === undefined ? {} : { address: cell.address }) },
  };
}

/** A table seen by its rows, or turned over and seen by its columns: checks are written once for both. */
export interface View {
  grid: Grid;
  lines: readonly Line[];
  items: readonly Line[];
  at: (line: number, item: number) => NumberCell | undefined;
  /** The lines are the rows of the table. */
  upright: boolean;
}

export function viewsOf(grid: Grid): readonly View[] {
  return [
    { grid, lines: grid.rows, items: grid.columns, at: grid.at, upright: true },
    { grid, lines: grid.columns, items: grid.rows, at: (line, item) => grid.at(item, line), upright: false },
  ];
}
