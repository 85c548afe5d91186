import type { ReadTable } from '../table/read-table.ts';
import { isCommonStem, tokenize, pattern } from '../../../../../text/index.ts';

/** A value of a series, in its cell. */
export interface Point {
  /** Quarters since year 0; of a year its last. */
  time: number;
  value: number;
  row: number;
  column: number;
}

/** What a table tells of one thing over time: "Asia", its revenue, 2023 and 2024. */
export interface Series {
  name: string;
  /** Of the row, or of the group of rows. */
  subject: readonly string[];
  /** Of the column, without the period. */
  measure: readonly string[];
  /** In the order of time. */
  points: readonly Point[];
}

const periodPattern = /\b(?:(Q|H)([1-4])\s*[-/' ]?\s*(?:FY)?\s?)?((?:19|20)\d\d)\b|\bFY\s?'?(\d\d)\b/iu;
const periodWords = pattern('giu')`
  \b(?:[QH][1-4]\b|(?:FY|fiscal|years?|quarters?|months?|ended|ending|december|june|march|september|three|six|nine
  |twelve)\b|(?:FY\s?)?'?\d{2,4}\b|31|30)`;

/** When a text speaks of, as a number that sorts; null when it names no period, or more than one. */
export function readTime(text: string): number | null {
  const found = Array.from(text.matchAll(new RegExp(periodPattern, 'giu')), ([, kind, part, year, short]) => {
    const years = year === undefined ? 2000 + Number(short) : Number(year);
    return years * 4 + (kind === undefined ? 4 : kind.toUpperCase() === 'Q' ? Number(part) : Number(part) * 2);
  });
  return new Set(found).size === 1 ? found[0]! : null;
}

/** Columns that tell a change themselves, or a share, are no values over time. */
const derived = /%|\b(?:change|growth|variance|yoy|y\/y|increase|decrease|share|mix|cagr)\b/iu;

/** The series of a table whose columns are periods, or whose rows are. */
export function readSeries(table: ReadTable): Series[] {
  const across = findPeriodColumns(table);
  return across.length >= 2 ? readByColumns(table, across) : readByRows(table);
}

function findPeriodColumns({ columns }: ReadTable): { column: number; time: number; measure: string }[] {
  return columns.flatMap(({ header, numeric }, column) => {
    const time = readTime(header);
    return numeric && time !== null && !derived.test(header)
      ? [{ column, time, measure: header.replace(periodWords, ' ').trim().toLowerCase() }]
      : [];
  });
}

function readByColumns(table: ReadTable, across: ReturnType<typeof findPeriodColumns>): Series[] {
  const label = table.columns.findIndex(({ numeric }) => !numeric);
  if (label < 0) return [];
  return [...Map.groupBy(across, ({ measure }) => measure)].flatMap(([measure, columns]) =>
    table.rows.flatMap((cells, row) => {
      const name = cells[label]?.cell.text.trim() ?? '';
      const points = columns.flatMap(({ column, time }) => readPoint(table, row, column, time));
      return name === '' ? [] : buildSeries(name, measure, points);
    }),
  );
}

/** Rows are periods: a column of them, and the others' headers, or one column of names, say what is told. */
function readByRows(table: ReadTable): Series[] {
  const times = table.columns.map((_, column) => table.rows.map((cells) => readTime(cells[column]?.cell.text ?? '')));
  const when = times.findIndex(
    (column) => column.filter((time) => time !== null).length >= Math.max(2, table.rows.length * 0.8),
  );
  if (when < 0) return [];
  const names = table.columns.findIndex(({ numeric }, column) => !numeric && column !== when);
  const groups = Map.groupBy(table.rows.keys(), (row) =>
    names < 0 ? '' : (table.rows[row]![names]?.cell.text.trim() ?? ''),
  );
  return table.columns.flatMap(({ header, numeric }, column) =>
    !numeric || column === when || derived.test(header)
      ? []
      : [...groups].flatMap(([name, rows]) => {
          const points = rows.flatMap((row) =>
            times[when]![row] === null ? [] : readPoint(table, row, column, times[when]![row]!),
          );
          return name === '' ? buildSeries(header, '', points) : buildSeries(name, header, points);
        }),
  );
}

function readPoint(table: ReadTable, row: number, column: number, time: number): Point[] {
  const value = table.rows[row]?.[column]?.value ?? null;
  return value === null ? [] : [{ time, value, row, column }];
}

function buildSeries(name: string, measure: string, points: readonly Point[]): Series[] {
  const ordered = points.toSorted((a, b) => a.time - b.time);
  const subject = listStems(name);
  const distinct = new Set(ordered.map(({ time }) => time)).size === ordered.length;
  return ordered.length >= 2 && distinct && subject.length > 0
    ? [{ name, subject, measure: listStems(measure), points: ordered }]
    : [];
}

export function listStems(text: string): string[] {
  return tokenize(text).flatMap(({ stem, number }) => (number !== null || isCommonStem(stem) ? [] : [stem]));
}
