import { formatBlockId, type Block, type Cell, type ReportDocument, type Table } from '../../document.ts';
import { isTableCaption } from '../../tables/classify-cell.ts';
import type { Grid, GridLine } from './grid.ts';
import { layOutTable } from './lay-out-table.ts';
import { headlineMetrics, listMeasureWords, metricWords } from '../values/find-measures.ts';
import { dropBasis, readBasis } from '../values/read-basis.ts';
import { readPeriod, isSamePeriod, isYearless, readYear, scanPeriods } from '../values/scan-periods.ts';
import { readStatedScale, type DecimalMark, type ScannedNumber } from '../values/scan-numbers.ts';
import { pattern } from '@agonhq/engine/text';

const counts = pattern('i')`
  \b(?:headcount|employees|staff|fte|ftes|full-time equivalents?|clients|people|workforce|customers|subscribers
  |users|units|stores|shares outstanding|number of|patients|students|volume)\b
  (?![^·]*\b(?:costs?|expenses?|pay|payroll|salaries|wages|revenues?|sales|fees|income|spending)\b)`;
const perOne = pattern('i')`
  \bper (?:common |ordinary |diluted |basic )?(?:share|unit|user|customer|employee|store|head|capita|tonne|ton|hour
  |day)\b|\bEPS\b|\bprice\b`;

/** A table with what its headers, its title and the text above it say of its numbers; null where it has none. */
export function readGrid(
  document: ReportDocument,
  block: Block,
  table: Table,
  before: readonly Block[],
  general: string,
  mark: DecimalMark,
): Grid | null {
  const layout = layOutTable(table, mark);
  if (layout === null) return null;
  const { titleRows, body, groups, headerText, labelOf, cellAt, numberAt } = layout;
  const near = before.map((one) => document.text.slice(one.start, one.end)).filter((text) => text.length < 200);
  const title = [...new Set([...near, table.caption ?? '', ...titleRows])].filter((text) => text !== '').join(' · ');
  const stated = [
    titleRows.join(' '),
    table.caption ?? '',
    ...near.filter(isTableCaption).toReversed(),
    block.section.at(-1) ?? '',
    block.sheet ?? '',
    general,
  ].map((text) => readStatedScale(text));
  const tableScale = stated.find(({ scale }) => scale !== null)?.scale ?? null;
  const tableUnit = stated.find(({ unit }) => unit !== null && unit !== '%')?.unit ?? null;
  const titlePeriod =
    readPeriod(table.caption ?? '') ??
    readPeriod(titleRows.join(' ')) ??
    readPeriod(near.at(-1) ?? '') ??
    block.section
      .toReversed()
      .map((heading) => readPeriod(heading))
      .find((period) => period !== null) ??
    null;

  const line = (index: number, label: string, group: string): GridLine => {
    const { scale, unit } = readStatedScale(label);
    return {
      index,
      label,
      words: listMeasureWords(cleanLabel(label)),
      whole: [],
      total: null,
      period: readPeriod(label),
      group,
      scale,
      unit,
    };
  };
  const columns = groups.map((group, index) => line(index, headerText(group), ''));
  const amountAt = (row: number, group: number): { value: number; precision: number } | null => {
    const column = groups[group]!.find((physical) => numberAt(row, physical) !== undefined);
    const number = column === undefined ? null : numberAt(row, column)!;
    return number === null || number.unit === '%' || number.unit === 'pp' || number.dash === true ? null : number;
  };
  const sums = findAdditiveRows(
    body,
    groups.map((_, index) => index),
    amountAt,
    (row) =>
      /\btotal\b/i.test(labelOf(row)) ||
      listMeasureWords(dropPeriods(labelOf(row))).some((word) => headlineMetrics.has(word)),
  );
  const rows: GridLine[] = [];
  const lineOf = new Map<number, GridLine>();
  const cells: Grid['cells'][number][] = [];
  let group = '';
  for (const row of body) {
    const label = labelOf(row);
    const numbers = groups.map((physical) => physical.find((column) => numberAt(row, column) !== undefined));
    if (numbers.every((column) => column === undefined)) {
      if (label !== '') group = label;
      continue;
    }
    const whole = sums.get(row);
    const rowLine = {
      ...line(rows.length, label, group),
      whole: whole === undefined ? [] : listMeasureWords(dropPeriods(labelOf(whole))),
    };
    lineOf.set(row, rowLine);
    rows.push(rowLine);
    for (const [column, physical] of numbers.entries()) {
      if (physical === undefined) continue;
      const number = numberAt(row, physical)!;
      const columnLine = columns[column]!;
      const both = `${rowLine.label} ${columnLine.label}`;
      const own = number.unit === '%' || number.unit === 'pp';
      const rate =
        !own && (rowLine.unit === '%' || columnLine.unit === '%' || rowLine.unit === 'pp' || columnLine.unit === 'pp')
          ? 0.01
          : rowLine.unit === 'bps' || columnLine.unit === 'bps'
            ? own
              ? 1
              : 1e-4
            : null;
      const unscaled =
        own ||
        rate !== null ||
        perOne.test(both) ||
        (counts.test(both) &&
          whole === undefined &&
          tableUnit !== null &&
          rowLine.scale === null &&
          columnLine.scale === null) ||
        (/\b(?:margin|rate|ratio|percentage|growth)\b/i.test(rowLine.label) &&
          rowLine.unit === null &&
          number.unit === null &&
          // A line of amounts may be called after a rate: "interest rate swaps".
          numbers.every((at) => at === undefined || Math.abs(numberAt(row, at)!.value) < 1.5));
      const scale = number.scale ?? (unscaled ? (rate ?? 1) : (rowLine.scale ?? columnLine.scale ?? tableScale ?? 1));
      const unit = own
        ? number.unit
        : rate === null
          ? (number.unit ??
            rowLine.unit ??
            columnLine.unit ??
            (unscaled || (counts.test(both) && whole === undefined) ? null : tableUnit))
          : rowLine.unit === 'pp' || columnLine.unit === 'pp'
            ? 'pp'
            : rate === 1e-4
              ? 'pp'
              : '%';
      cells.push({
        row: rowLine.index,
        column,
        number: {
          cell: cellAt(row, physical)!,
          shown: number.value,
          shownPrecision: number.precision,
          value: number.value * scale,
          precision: number.precision * scale,
          exact: unit === '%' || unit === 'pp' ? null : readExact(document, cellAt(row, physical)!, number, scale),
          unit,
          scaled: number.scale !== null || rowLine.scale !== null || columnLine.scale !== null || tableScale !== null,
          period: joinPeriods(joinPeriods(columnLine.period, rowLine.period), titlePeriod),
          basis: readBasis(columnLine.label) ?? readBasis(rowLine.label) ?? readBasis(group),
          text: number.text,
          dash: number.dash === true,
        },
      });
    }
  }
  for (const [part, total] of sums) lineOf.get(part)!.total = lineOf.get(total)!.index;
  // What was read together with the paragraph above it is no title.
  const titles = [table.caption ?? '', ...titleRows, ...near.filter((text) => !/[.!?]\s*$/.test(text))]
    .map((text) => text.split(/(?<=[.!?])\s+/).at(-1)!)
    .map((text) => listMeasureWords(dropPeriods(text)));
  const titleModifiers = titles.flatMap((words) =>
    words.filter((word, at) => !metricWords.has(word) && metricWords.has(words[at + 1] ?? '')),
  );
  const index = new Map(cells.map((one) => [`${one.row}:${one.column}`, one.number]));
  return {
    document,
    block,
    id: formatBlockId(document, block),
    title,
    titleWords: titles.flat(),
    titleModifiers,
    rows,
    columns,
    at: (row, column) => index.get(`${row}:${column}`),
    cells,
  };
}

/** The number in a spreadsheet's cell, which its format may show rounded. A rate is a quotient, and rounded anyway. */
function readExact(
  { kind }: ReportDocument,
  { value }: Cell,
  { value: shown, precision, dash }: ScannedNumber,
  scale: number,
): number | null {
  if (kind !== 'xlsx' && kind !== 'csv') return null;
  if (value === undefined || dash === true) return shown * scale;
  // A format may show thousands, or the number with another sign.
  return Math.abs(value - shown) <= precision * 1.001 ? value * scale : null;
}

function joinPeriods(column: string | null, row: string | null): string | null {
  if (column === null || row === null) return column ?? row;
  const [part, whole] = isYearless(column) ? [column, row] : [row, column];
  const year = readYear(whole);
  if (isYearless(part) && year !== null) return isSamePeriod(part, whole) ? whole : `${part} ${year}`;
  return column;
}

/* Which rows of a table add up to which: read off the numbers, before anything is known of their units. */

interface Shown {
  value: number;
  precision: number;
}

/** For each row that is a part of a sum, the row that holds the sum. */
function findAdditiveRows(
  rows: readonly number[],
  columns: readonly number[],
  at: (row: number, column: number) => Shown | null,
  mayBeTotal: (row: number) => boolean,
): Map<number, number> {
  const whole = new Map<number, number>();
  for (const [position, total] of rows.entries()) {
    if (!mayBeTotal(total)) continue;
    for (let count = 2; count <= Math.min(position, 40); count++) {
      const parts = rows.slice(position - count, position);
      if (!addsUp(total, parts, columns, at)) continue;
      for (const part of parts) if (!whole.has(part)) whole.set(part, total);
      break;
    }
  }
  return whole;
}

/** In half of the columns that have both, and not for want of numbers. */
function addsUp(
  total: number,
  parts: readonly number[],
  columns: readonly number[],
  at: (row: number, column: number) => Shown | null,
): boolean {
  let held = 0;
  let seen = 0;
  for (const column of columns) {
    const sum = at(total, column);
    const cells = parts.map((part) => at(part, column));
    if (sum === null || cells.some((cell) => cell === null)) continue;
    seen++;
    const tolerance = cells.reduce((subtotal, cell) => subtotal + cell!.precision, sum.precision);
    const gap = Math.abs(cells.reduce((subtotal, cell) => subtotal + cell!.value, -sum.value));
    if (gap <= tolerance * (1 + 1e-9) && Math.abs(sum.value) > 20 * tolerance) held++;
  }
  return held > 0 && held * 2 >= seen;
}

const unitInLabel = pattern('gi')`
  \((?:in [^)]*|no\.?|number|#|%|x|thousands?|millions?|days?|hours?|minutes?|weeks?|months?|years?|tonnes?|tons?
  |k?t|kg|km|[kMGT]Wh?p?|TJ|m[23²³]?|ha|units?|FTEs?|end of (?:period|year)|at (?:year|period)[ -]end)\)
  |,? (?:at|as at|at the) (?:year|period|quarter)[ -]end\b`;

/** A label without its periods, units and what it says of its basis. */
export function cleanLabel(label: string): string {
  return dropPeriods(dropUnits(dropBasis(label)));
}

/** "Length of stay (days)" measures no days. */
function dropUnits(label: string): string {
  return label.replace(unitInLabel, '');
}

const dayOfMonth = pattern('gi')`
  \b(?:\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)
  |(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2})\b`;

function dropPeriods(label: string): string {
  return scanPeriods(label)
    .toReversed()
    .reduce((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, label)
    .replace(dayOfMonth, ' ');
}
