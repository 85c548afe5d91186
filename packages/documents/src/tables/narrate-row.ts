import { isBlank, isNumber, isPeriod, isUnit, findUnit } from './classify-cell.ts';
import type { Cell, Table } from '../document.ts';
import { joinWithAnd, pattern } from '@agonhq/engine/text';

/** Column names that say what kind of thing a row is about: `Region`, and the row is "the APAC region". */
const kindsOfThings = pattern('iu')`
  ^(?:region|segment|country|division|market|category|department|company|team|brand|channel|unit|branch|subsidiary
  |product|business|sector|industry|city|state|store|plant|customer group|business unit|product line|geography)$`;
/** Columns whose values say when. */
const timeColumn = /\b(?:quarter|year|period|month|date|fiscal|fy|week|day|time)\b/iu;
/** Said beside a name, and no unit. */
const remark = /^(?:(?:un)?audited|restated|note)$/iu;
const totals = /^(?:sub-?)?totals?\b/iu;

/**
 * Tells the rows of one table as sentences with units, period and headers, null for headers, section lines and empty
 * rows: what they share is looked up once.
 */
export function createNarrator(table: Table): (row: number) => string | null {
  const grid = buildGrid(table);
  const titles = findTitleRows(table, grid);
  const headers = Array.from({ length: table.columns }, (_, column) => readHeader(table, grid, titles, column));
  const sections = findSections(table, grid);
  const unit = findTableUnit(table, grid, titles);
  return (row) => {
    if (row < table.headerRows || row >= table.rows) return null;
    const cells = grid[row]!.flatMap((cell, column): Value[] =>
      cell && !isBlank(cell.text) ? [{ ...headers[column]!, text: cell.text, column }] : [],
    );
    const period = cells.find(
      (cell) => isPeriod(cell.text) && (cell.column < table.headerColumns || timeColumn.test(cell.name)),
    );
    const names = cells.filter((cell) => cell !== period && cell.column < table.headerColumns);
    const values = cells.filter((cell) => cell !== period && cell.column >= table.headerColumns);
    if (values.length === 0) return null;
    const under = sections[row] === null ? '' : ` under ${sections[row]}`;
    const parts = {
      period: period?.text ?? null,
      names,
      values: values.map((value) => ({ ...value, text: addUnit(value.text, value.unit) })),
      under,
    };
    const isRecord = !values.every((value) => isNumber(value.text)) || (names.length === 0 && period === undefined);
    const told = isRecord ? tellRecord(parts) : tellNumbers(parts);
    // Columns that say their own unit need not hear the table's.
    const isStated = values.every(
      (value) => (value.unit !== null && !remark.test(value.unit)) || findUnit(value.name) !== null,
    );
    return endSentence(`${told}${unit === null || isStated ? '' : ` (${unit})`}`);
  };
}

interface Header {
  /** The names over the column, the outermost first, without its period and unit. */
  name: string;
  period: string | null;
  unit: string | null;
}

interface Value extends Header {
  text: string;
  column: number;
}

interface Telling {
  period: string | null;
  names: readonly Value[];
  values: readonly Value[];
  under: string;
}

/** `In Q3, the APAC region recorded a growth of 15 %`, or `Revenue was 4.6 in 2024 and 4.0 in 2023`. */
function tellNumbers({ period, names, values, under }: Telling): string {
  const shared = period ?? (values.every((value) => value.period === values[0]!.period) ? values[0]!.period : null);
  const lead = shared === null ? '' : `${capitalise(formatPeriod(shared))}, `;
  const when = (value: Header): string =>
    value.period === null || value.period === shared ? '' : ` ${formatPeriod(value.period)}`;
  const label = names.map(({ text, name }) => formatLabel(text, name)).join(', ');
  if (label !== '' && values.every((value) => value.name === '')) {
    return capitalise(
      `${lead}${dropEnd(label)}${under} was ${joinWithAnd(values.map((value) => `${value.text}${when(value)}`))}`,
    );
  }
  const measures = joinWithAnd(values.map((value) => `${formatMeasure(value.name, value.text)}${when(value)}`));
  return capitalise(`${lead}${label === '' ? 'there was' : `${dropEnd(label)}${under} recorded`} ${measures}`);
}

/** `For pick 235, player is Tero Lehtera and position is centre`: rows that hold words. */
function tellRecord({ period, names, values, under }: Telling): string {
  const leads = names.map(({ text, name }) =>
    name === '' || text.toLowerCase().includes(name.toLowerCase()) ? text : `${lowerFirst(name)} ${text}`,
  );
  const lead = [
    ...(period === null ? [] : [formatPeriod(period)]),
    ...(leads.length === 0 ? [] : [`for ${leads.join(', ')}${under}`]),
  ].join(', ');
  const facts = joinWithAnd(
    values.map((value) => {
      const when = value.period === null || value.period === period ? '' : ` ${formatPeriod(value.period)}`;
      return value.name === '' ? `${value.text}${when}` : `${lowerFirst(value.name)} is ${value.text}${when}`;
    }),
  );
  return capitalise(lead === '' ? facts : `${lead}, ${facts}`);
}

/** `in Q3`, `on June 30, 2024`, `for the year ended …`. */
function formatPeriod(period: string): string {
  if (/^(?:as (?:of|at)|at|for)\s/iu.test(period)) return lowerFirst(period);
  if (/\b(?:ended|ending)\b/iu.test(period))
    return /^the\s/iu.test(period) ? `for ${period}` : `for the ${lowerFirst(period)}`;
  return /^\p{L}+\.?\s+\d{1,2},|^\d{4}-\d{2}-\d{2}|^\d{1,2}\.?\s+\p{L}|^\d{1,2}[./]\d/u.test(period)
    ? `on ${period}`
    : `in ${period}`;
}

/** `the APAC region`, but `Total` and `APAC Region` as they are. */
function formatLabel(label: string, header: string): string {
  if (
    !kindsOfThings.test(header) ||
    totals.test(label) ||
    label.toLowerCase().includes(header.toLowerCase()) ||
    label.split(/\s+/).length > 4
  )
    return label;
  return `the ${label} ${header.toLowerCase()}`;
}

function formatMeasure(name: string, text: string): string {
  if (name === '') return text;
  const plural = /[^s]s(?:\s*\(.*\))?$/u.test(name) || /\b(?:of|sold|employees|people)\b/iu.test(name);
  const article = plural || /^(?:the|an?)\s/iu.test(name) ? '' : /^[aeiou]/iu.test(name) ? 'an ' : 'a ';
  return `${article}${lowerFirst(name)} of ${text}`;
}

function readHeader(table: Table, grid: Grid, titles: ReadonlySet<number>, column: number): Header {
  const texts: string[] = [];
  for (let row = 0; row < table.headerRows; row += 1) {
    const text = titles.has(row) ? '' : (grid[row]![column]?.text ?? '');
    if (text !== '' && text !== texts.at(-1)) texts.push(text);
  }
  const period = texts.filter(isPeriod);
  const units = texts.filter((text) => !isPeriod(text) && isUnit(text));
  const names = texts.filter((text) => !isPeriod(text) && !isUnit(text));
  return {
    name: names.join(', '),
    period: period.length === 0 ? null : period.join(' '),
    unit: units.length === 0 ? null : units.map(dropBrackets).join(', '),
  };
}

/** Rows at the top that name the table as a whole: one cell, and nothing beside it. */
function findTitleRows(table: Table, grid: Grid): Set<number> {
  const titles = new Set<number>();
  for (let row = 0; row < table.headerRows; row += 1) {
    const cells = new Set(grid[row]!.filter((cell) => cell !== undefined && cell.text !== ''));
    const [only] = cells;
    const isWhole = only !== undefined && (only.span?.columns ?? 1) >= table.columns;
    if (cells.size <= 1 && table.columns > 1 && (isWhole || (only !== undefined && only.column === 0))) titles.add(row);
  }
  return titles;
}

/** What all numbers are counted in: the corner over the names of the rows says so, a title row, else the caption. */
function findTableUnit(table: Table, grid: Grid, titles: ReadonlySet<number>): string | null {
  const said = Array.from(
    { length: table.headerRows },
    (_, row) =>
      (titles.has(row) ? grid[row]!.find((cell) => cell !== undefined && cell.text !== '') : grid[row]![0])?.text ?? '',
  );
  const unit =
    said
      .toReversed()
      .map((text) => findUnit(text) ?? (isUnit(text) && !remark.test(dropBrackets(text)) ? text : null))
      .find((found) => found !== null) ?? findUnit(table.caption ?? '');
  return unit === null ? null : dropBrackets(unit);
}

/** The line without numbers under which each row stands ("Operating expenses"), up to and with its total. */
function findSections(table: Table, grid: Grid): (string | null)[] {
  let section: string | null = null;
  let closed = false;
  return grid.map((cells, row) => {
    if (row < table.headerRows) return null;
    const told = new Set(cells.filter((cell) => cell !== undefined && cell.text !== ''));
    const [first] = told;
    if (told.size === 1 && first!.column === 0 && table.columns > 1) {
      section = first!.text.replace(/:$/, '');
      closed = false;
      return null;
    }
    const current = closed ? null : section;
    if (totals.test(cells[0]?.text ?? '')) closed = true;
    return current;
  });
}

type Grid = (Cell | undefined)[][];

/** Every place of the table with the cell that stands there, or whose span covers it. */
function buildGrid(table: Table): Grid {
  const grid: Grid = Array.from({ length: table.rows }, () => Array.from({ length: table.columns }, () => undefined));
  for (const cell of table.cells) {
    const { rows, columns } = cell.span ?? { rows: 1, columns: 1 };
    for (let row = cell.row; row < Math.min(table.rows, cell.row + rows); row += 1) {
      for (let column = cell.column; column < Math.min(table.columns, cell.column + columns); column += 1)
        grid[row]![column] = cell;
    }
  }
  return grid;
}

function addUnit(text: string, unit: string | null): string {
  if (unit === null || remark.test(unit) || text.toLowerCase().includes(unit.toLowerCase())) return text;
  return /\bin\s/iu.test(unit) ? `${text} (${unit})` : `${text} ${unit}`;
}

/** A name as it stands within a sentence: `growth`, but `EBITDA` and `Q3` keep their capitals. */
function lowerFirst(name: string): string {
  return /^\p{Lu}\p{Ll}+(?:$|\s+[^\p{Lu}])/u.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function dropEnd(text: string): string {
  return text.replace(/[.:]\s*$/u, '');
}

function dropBrackets(text: string): string {
  return text.replace(/^[([]\s*|(?:(?<!\s)\s+)?[)\]]$/gu, '');
}

function endSentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
