import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { sanitize, style } from './style.ts';

/** Breaks a text into lines of at most `width` columns, at spaces where it can. */
export function wrapText(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(width, 8), { hard: true, trim: true }).split('\n');
}

/** A text of others below what it is about, `room` columns narrower than the terminal. */
export function indentText(text: string, width: number, room = 2): string[] {
  return wrapText(sanitize(text), width - room).map((line) => `  ${line}`);
}

/** Fills a line up to `width` columns. */
export function padLine(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - stringWidth(line)));
}

/** A row with a name to the left. A terminal breaks it so that the name stands alone; elsewhere it stays one line. */
export function formatRow(
  name: string,
  text: string,
  screen: { isTTY?: boolean; columns?: number } = process.stdout,
): string[] {
  if (!screen.isTTY || screen.columns === undefined) return [`${name}${text}`];
  const indent = stringWidth(name);
  return wrapText(text, screen.columns - indent).map(
    (line, index) => `${index === 0 ? name : ' '.repeat(indent)}${line}`,
  );
}

export type PrintedFact = readonly [name: string, text: string] | false;

/** Facts under each other, their names to the left; those that are false are left out. */
export function formatFacts(facts: readonly PrintedFact[], indent = '  '): string[] {
  const shown = facts.filter((fact) => fact !== false);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.flatMap(([name, text]) => formatRow(`${indent}${name.padEnd(width)}  `, sanitize(text)));
}

/** Lines that a terminal shows in one row each: what does not fit is cut. Elsewhere they stay whole. */
export function fitLines(
  lines: readonly string[],
  screen: { isTTY?: boolean; columns?: number } = process.stdout,
): string[] {
  const { columns } = screen;
  if (!screen.isTTY || columns === undefined) return [...lines];
  return lines.map((line) =>
    stringWidth(line) <= columns
      ? line
      : `${wrapAnsi(line, Math.max(columns - 1, 8), { hard: true, trim: false, wordWrap: false }).split('\n')[0]}…`,
  );
}

export type PrintedRow = readonly string[];

/** Names to the left, figures to the right; `names` says which columns hold names. */
export function formatTable(rows: readonly PrintedRow[], names: readonly number[] = [0]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))));
  const filled = (cell: string, column: number) =>
    names.includes(column)
      ? padLine(cell, widths[column]!)
      : `${padLine('', widths[column]! - stringWidth(cell))}${cell}`;
  const lines = rows.map((row) => row.map(filled).join('  ').trimEnd());
  return lines.map((line, index) => (index === 0 ? style('dim', line) : line));
}

export type PrintedColumn<Of> = readonly [title: string, cell: (of: Of) => string] | false;

/** A table with a row for each item; columns that are false are left out. */
export function formatColumns<Of>(
  items: readonly Of[],
  columns: readonly PrintedColumn<Of>[],
  names?: number[],
): string[] {
  const shown = columns.filter((column) => column !== false);
  return formatTable(
    [shown.map(([title]) => title), ...items.map((item) => shown.map(([, cell]) => cell(item)))],
    names,
  );
}
