import type { Cell, Table } from '../../document.ts';
import { listMeasureWords, metricWords } from '../values/find-measures.ts';
import { readCellNumber, type DecimalMark, type ScannedNumber } from '../values/scan-numbers.ts';

/** Which part of a table is what: header, labels, body, and the columns as the eye sees them. */
export interface Layout {
  /** Of the header, above what it heads. */
  titleRows: readonly string[];
  body: readonly number[];
  /** The columns of numbers; each is one or more of the table's. */
  groups: readonly (readonly number[])[];
  headerText: (columns: readonly number[]) => string;
  labelOf: (row: number) => string;
  cellAt: (row: number, column: number) => Cell | undefined;
  /** What a cell is as a number; undefined where it is none. */
  numberAt: (row: number, column: number) => ScannedNumber | undefined;
}

/** Nothing where a table has no numbers. */
export function layOutTable(table: Table, mark: DecimalMark): Layout | null {
  const places = new Map<string, Cell>();
  for (const cell of table.cells) places.set(`${cell.row}:${cell.column}`, cell);
  const cellAt = (row: number, column: number): Cell | undefined => places.get(`${row}:${column}`);
  const textAt = (row: number, column: number): string => cellAt(row, column)?.text.trim() ?? '';

  const raw = new Map<string, ScannedNumber>();
  for (const cell of table.cells) {
    if (/^[\s$€£¥)%]*$/.test(cell.text)) continue;
    const glueBefore = /^[$€£¥]\s*\(?$/.test(textAt(cell.row, cell.column - 1))
      ? textAt(cell.row, cell.column - 1)
      : '';
    const next = textAt(cell.row, cell.column + 1);
    const glueAfter = /^(?:\)?\s*%|\)|pp|bps)$/.test(next) ? next : '';
    const number = readCellNumber(glueBefore + cell.text.trim() + glueAfter, mark);
    if (number !== null) raw.set(`${cell.row}:${cell.column}`, number);
  }
  const isValue = (row: number, column: number): boolean => {
    const number = raw.get(`${row}:${column}`);
    return number !== undefined && !number.year;
  };
  const columnNumbers = Array.from({ length: table.columns }, (_, column) => column);
  const rowNumbers = [...new Set(table.cells.map(({ row }) => row))].toSorted((left, right) => left - right);

  let headerRows = 0;
  // A bare 1900 under a header that is there already, and beside a label, is a number and no year.
  const isYears = (row: number): boolean => {
    const shown = columnNumbers
      .slice(1)
      .map((column) => raw.get(`${row}:${column}`))
      .filter((number) => number !== undefined);
    const years = shown.map(({ value }) => value);
    const isAmongWords = columnNumbers.slice(1).some((column) => /\p{L}{3}/u.test(textAt(row, column)));
    return (
      shown.length > 1 &&
      shown.every(({ year }) => year) &&
      Math.max(...years) - Math.min(...years) <= 12 &&
      // "Revenue · 2023 · 2022 · % Change" heads its columns, though it begins with a measure.
      (isAmongWords || !listMeasureWords(textAt(row, 0)).some((word) => metricWords.has(word)))
    );
  };
  const isBody = (row: number, column: number): boolean =>
    isValue(row, column) ||
    (column > 0 &&
      !isYears(row) &&
      raw.get(`${row}:${column}`)?.year === true &&
      textAt(row, 0) !== '' &&
      rowNumbers.some((above) => above < row && textAt(above, column) !== ''));
  while (headerRows < rowNumbers.length && !columnNumbers.some((column) => isBody(rowNumbers[headerRows]!, column)))
    headerRows++;
  if (headerRows === rowNumbers.length) return null;
  const filled = (row: number): number => columnNumbers.filter((column) => textAt(row, column) !== '').length;
  const widest = rowNumbers.slice(0, headerRows).findLastIndex((row) => filled(row) > 1);
  if (widest >= 0) headerRows = widest + 1;
  const body = rowNumbers.slice(headerRows);

  let labelColumns = 0;
  while (labelColumns < table.columns) {
    const column = labelColumns;
    const shown = body.filter((row) => textAt(row, column) !== '');
    const dated =
      column === 0 ||
      rowNumbers
        .slice(0, headerRows)
        .some((row) => /\b(?:year|period|fiscal|date|vintage|maturity)\b/i.test(textAt(row, column)));
    const values = shown.filter(
      (row) => isValue(row, column) || (!dated && raw.get(`${row}:${column}`)?.year === true),
    ).length;
    if (shown.length > 0 && values > shown.length / 2) break;
    labelColumns++;
  }
  if (labelColumns === table.columns) return null;
  // A first column of running numbers or codes is no measure; one of bare years is the label and was passed above.
  labelColumns = Math.max(
    labelColumns,
    columnNumbers.some((column) => column > labelColumns && body.some((row) => isValue(row, column)))
      ? Math.min(table.headerColumns, 2)
      : 0,
    0,
  );

  const groups = mergeColumns(
    columnNumbers.slice(labelColumns),
    body,
    isValue,
    (row, column) => raw.get(`${row}:${column}`) !== undefined,
    textAt,
  );
  const headerText = (columns: readonly number[]): string => {
    const parts: string[] = [];
    for (const row of rowNumbers.slice(0, headerRows)) {
      const cell =
        table.cells.find(
          (candidate) =>
            candidate.row === row &&
            candidate.text.trim() !== '' &&
            columns.some(
              (column) => column >= candidate.column && column < candidate.column + (candidate.span?.columns ?? 1),
            ) &&
            candidate.column >= labelColumns,
        ) ??
        (row !== rowNumbers[headerRows - 1] && filled(row) > 1
          ? table.cells.findLast(
              (candidate) =>
                candidate.row === row &&
                candidate.text.trim() !== '' &&
                candidate.column < columns[0]! &&
                candidate.column >= labelColumns &&
                candidate.span === undefined,
            )
          : undefined);
      if (cell !== undefined && parts.at(-1) !== cell.text.trim()) parts.push(cell.text.trim());
    }
    return parts.join(' ');
  };

  const titleRows = rowNumbers.slice(0, headerRows).flatMap((row) =>
    columnNumbers
      .slice(0, Math.max(labelColumns, filled(row) === 1 ? table.columns : 0))
      .map((column) => textAt(row, column))
      .filter((text) => text !== ''),
  );
  const labelOf = (row: number): string =>
    columnNumbers
      .slice(0, labelColumns)
      .map((column) => textAt(row, column))
      .filter((text) => text !== '')
      .join(' · ');
  return {
    titleRows,
    body,
    groups,
    headerText,
    labelOf,
    cellAt,
    numberAt: (row, column) => raw.get(`${row}:${column}`),
  };
}

/** Columns that are one to the eye: a currency sign, a number and a bracket often stand in cells of their own. */
function mergeColumns(
  columns: readonly number[],
  body: readonly number[],
  isValue: (row: number, column: number) => boolean,
  isNumber: (row: number, column: number) => boolean,
  textAt: (row: number, column: number) => string,
): number[][] {
  const groups: number[][] = [];
  for (const column of columns) {
    const last = groups.at(-1);
    const any = body.some((row) => isNumber(row, column));
    const clash =
      last !== undefined && body.some((row) => isNumber(row, column) && last.some((other) => isNumber(row, other)));
    const glued =
      last !== undefined &&
      body.some(
        (row) => isValue(row, column) && /^[$€£¥]\s*\(?$/.test(textAt(row, column - 1)) && last.includes(column - 1),
      );
    if (!any && !body.some((row) => textAt(row, column) !== '' && /^[$€£¥]/.test(textAt(row, column)))) continue;
    if (last !== undefined && !clash && (glued || !last.some((other) => body.some((row) => isNumber(row, other)))))
      last.push(column);
    else groups.push([column]);
  }
  return groups.filter((group) => group.some((column) => body.some((row) => isNumber(row, column))));
}
