import type { ReportDocument } from '../../document.ts';
import { cleanLabel } from '../tables/read-grid.ts';
import { growthName, planName, shareName, type Grid, type GridLine, type NumberCell } from '../tables/grid.ts';
import { readCellNumber } from '../values/scan-numbers.ts';
import { findMeasureWords, metricWords, type PlacedWord } from '../values/find-measures.ts';
import { orderPeriod, readPeriod } from '../values/scan-periods.ts';
import { pattern, stemWithIrregulars } from '@agonhq/engine/text';

/** A number of a table with what its headers say it is. */
export interface Fact {
  table: TypedTable;
  row: GridLine;
  column: GridLine;
  number: NumberCell;
  /** `Revenue[Europe, FY2024]`. */
  name: string;
}

/** The same measure of the same entity over time, in order. */
export interface Series {
  key: string;
  row: GridLine;
  column: GridLine;
  facts: readonly Fact[];
}

/** What rows or columns of a table are called: a region, a product, a measure. */
export interface Name {
  /** Names of one category exclude each other: those of one column of labels, or of the header. */
  category: string;
  text: string;
  words: readonly string[];
  rows: ReadonlySet<number> | null;
  columns: ReadonlySet<number> | null;
  /** It stands for all others of its category. */
  total: boolean;
}

/** A table as statements are held against it. */
export interface TypedTable {
  grid: Grid;
  names: readonly Name[];
  /** What the words of its title, headings and headers are. */
  known: ReadonlySet<string>;
  /** What its title says it measures. */
  title: ReadonlySet<string>;
  /** The nouns that its rows, or columns, are: region, segment. */
  nouns: ReadonlySet<string>;
  facts: readonly Fact[];
  totals: ReadonlySet<number>;
  /** Nothing says what it measures: no title, no heading of a column, no row that is a measure. */
  isUnnamed: boolean;
}

/** The words of a name in one spelling each, numbers that belong to it among them ("Plant 2"). */
export function findNameWords(text: string): PlacedWord[] {
  const words = findMeasureWords(text).map((one) => ({ ...one, word: stemWithIrregulars(one.word) }));
  const digits = [...text.matchAll(/(?<![\d.,$€£/%-])\d{1,4}(?![\d.,%]|\s?%)/g)].map((match) => ({
    word: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  return [...words, ...digits].toSorted((left, right) => left.start - right.start);
}

const listNameWords = (text: string): string[] => findNameWords(text).map(({ word }) => word);

const totalName = pattern('iu')`
  ^(?:grand |sub-?)?total\b|\btotals?$|^(?:overall|sum|all (?:\p{L}+ )?\p{L}+s|group|whole|entire|altogether|combined)\b`;

export const isTotalLabel = (label: string): boolean => totalName.test(label.trim());

const known = new WeakMap<Grid, TypedTable>();

export function readTypedTable(grid: Grid): TypedTable {
  let table = known.get(grid);
  if (table === undefined) known.set(grid, (table = buildTable(grid)));
  return table;
}

function buildTable(grid: Grid): TypedTable {
  const physical = new Map(grid.cells.map(({ row, number }) => [row, number.cell.row]));
  const body = new Set(physical.values());
  const first = Math.min(...body);
  const table = grid.block.table!;
  const byRow = Map.groupBy(table.cells, ({ row }) => row);
  const names: Name[] = [];
  const byText = new Map<string, Name>();
  const add = (category: string, text: string, rows: number | null, columns: number | null): void => {
    const words = listNameWords(cleanLabel(text));
    if (text.trim() === '' || text.length > 80) return;
    const total = isTotalLabel(text);
    if (words.length === 0 && !total) return;
    const same = byText.get(`${category}|${text}`);
    if (same === undefined) {
      const name = {
        category,
        text: text.trim(),
        words,
        rows: rows === null ? null : new Set([rows]),
        columns: columns === null ? null : new Set([columns]),
        total,
      };
      names.push(name);
      byText.set(`${category}|${text}`, name);
    } else {
      if (rows !== null) (same.rows as Set<number>).add(rows);
      if (columns !== null) (same.columns as Set<number>).add(columns);
    }
  };
  for (const { index, group } of grid.rows) {
    for (const { column, text } of byRow.get(physical.get(index)!) ?? [])
      if (readCellNumber(text) === null && readPeriod(text) === null) add(`row:${column}`, text, index, null);
    if (group !== '') add('group', group, index, null);
  }
  for (const line of grid.columns) if (!isDerivedLine(line)) add('column', line.label, null, line.index);
  const headers = table.cells.filter(({ row }) => row < first && row >= first - 3);
  const nouns = new Set(
    headers
      .filter(({ column }) => names.some(({ category }) => category === `row:${column}`))
      .flatMap(({ text }) => listNameWords(text)),
  );
  const own = new Set([...grid.titleWords.map(stemWithIrregulars), ...listNameWords(table.caption ?? '')]);
  const around = new Set([...grid.block.section, grid.block.sheet ?? ''].flatMap(listNameWords));
  // What the headings say is what a table measures only where it has no title of its own.
  const title = own.size > 0 ? own : around;
  const titles = listTitleWords(grid.document);
  const general = listGeneralWords(grid);
  const typed: TypedTable = {
    grid,
    names,
    nouns,
    title,
    known: new Set([
      ...title,
      ...nouns,
      ...headers.flatMap(({ text }) => listNameWords(text)),
      ...[...around].filter((word) => !titles.has(word)),
    ]),
    facts: [],
    totals: findTotals(grid),
    isUnnamed:
      [...own].every((word) => (nouns.has(word) && !isMeasureWord(word)) || general.has(word)) &&
      !names.some(({ category, words }) => category === 'column' || words.some(isMeasureWord)),
  };
  const facts = grid.cells
    .filter(({ number }) => !number.dash)
    .map(({ row, column, number }): Fact => {
      const [line, head] = [grid.rows[row]!, grid.columns[column]!];
      return { table: typed, row: line, column: head, number, name: nameFact(typed, line, head, number) };
    });
  return Object.assign(typed, { facts });
}

/** Of the headings above a table: those of "Annual review", not of "Parcels by depot" or "Revenue". */
function listGeneralWords({ block }: Grid): ReadonlySet<string> {
  const general = [...block.section, block.sheet ?? ''].filter(
    (heading) => !/\b(?:by|per|of)\b|[(:]/i.test(heading) && !listNameWords(heading).some(isMeasureWord),
  );
  return new Set(general.flatMap(listNameWords));
}

const measureWords = new Set([...metricWords].map(stemWithIrregulars));
const isMeasureWord = (word: string): boolean => measureWords.has(word);

const documentTitles = new WeakMap<ReportDocument, ReadonlySet<string>>();

/** What the titles and headers of any table of a document name. */
function listTitleWords(document: ReportDocument): ReadonlySet<string> {
  let words = documentTitles.get(document);
  if (words === undefined) {
    const tables = document.blocks.flatMap(({ table }) => table ?? []);
    const texts = tables.flatMap(({ caption, cells, headerRows }) => [
      caption ?? '',
      ...cells.filter(({ row, column }) => row < Math.max(1, headerRows) || column === 0).map(({ text }) => text),
    ]);
    documentTitles.set(document, (words = new Set(texts.flatMap(listNameWords))));
  }
  return words;
}

/** Rows that are called totals, that others were found to add up to, or that come to all others together. */
function findTotals(grid: Grid): Set<number> {
  const isSum = ({ index }: GridLine): boolean => {
    if (grid.rows.length < 4 || grid.rows.length > 200) return false;
    const columns = grid.columns.filter((column) => grid.at(index, column.index) !== undefined);
    const amounts = columns.filter((column) => !['%', 'pp'].includes(grid.at(index, column.index)!.unit ?? ''));
    const holds = amounts.filter((column) => {
      const all = grid.rows.flatMap((row) => grid.at(row.index, column.index) ?? []);
      const own = grid.at(index, column.index)!;
      const rest = all.reduce((sum, { value }) => sum + value, -own.value);
      const room = all.reduce((sum, { precision }) => sum + precision, 0);
      return own.value !== 0 && Math.abs(rest - own.value) <= room;
    });
    return amounts.length > 0 && holds.length * 2 > amounts.length;
  };
  const summed = new Set(grid.rows.map(({ total }) => total));
  const found = grid.rows.filter((row) => isTotalLabel(row.label) || summed.has(row.index) || isSum(row));
  return new Set(found.map(({ index }) => index));
}

function nameFact({ grid }: TypedTable, row: GridLine, column: GridLine, { period }: NumberCell): string {
  const parts = [row.group, row.label, column.label]
    .map((text) => text.trim())
    .filter((text) => text !== '' && (readPeriod(text) === null || listNameWords(cleanLabel(text)).length > 0));
  const [head, ...rest] = parts.length > 0 ? parts : [grid.block.table?.caption || 'value'];
  const inside = [...rest, ...(period === null ? [] : [period])].join(', ');
  return inside === '' ? head! : `${head}[${inside}]`;
}

/** A column, or a row, that tells what others come to: a change, a share. */
export function isDerivedLine({ label }: GridLine): boolean {
  return growthName.test(label) || shareName.test(label);
}

export function isPlanLine({ label }: GridLine): boolean {
  return planName.test(label);
}

/** Facts by what they are of, each in the order of time. */
export function groupSeries(facts: readonly Fact[]): Series[] {
  const groups = Map.groupBy(
    facts,
    ({ row, column }) => `${row.group}|${nameLine(row)}|${nameLine(column)}|${column.unit ?? ''}`,
  );
  return [...groups].map(([key, members]) => ({
    key,
    row: members[0]!.row,
    column: members[0]!.column,
    facts: members.toSorted((left, right) => readOrder(left) - readOrder(right)),
  }));
}

const nameLine = ({ label }: GridLine): string => listNameWords(cleanLabel(label)).join(' ');

const readOrder = ({ number: { period } }: Fact): number => (period === null ? 0 : (orderPeriod(period) ?? 0));
