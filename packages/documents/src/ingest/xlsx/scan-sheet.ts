import { parseColumn } from './formulas/index.ts';
import { decodeXmlText } from './read-workbook.ts';

/** A cell as a sheet's file has it. */
export interface SheetCell {
  row: number;
  column: number;
  style: number;
  /** `s` shared text, `str` and `inlineStr` text, `b` truth value, `e` error, `d` date; otherwise a number. */
  type: string;
  value: string | null;
  formula: SheetFormula | null;
}

export interface SheetFormula {
  text: string;
  /** `shared`, `array`, `dataTable`. */
  kind: string | null;
  /** The number of a shared formula: one cell has its text. */
  shared: string | null;
}

/** The place of a merged cell, and how many rows and columns it covers. */
export interface Merge {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** What a sheet says besides its cells. */
export interface SheetDetails {
  merges: readonly Merge[];
  /** How far down and to the right its cells reach. */
  extent: { rows: number; columns: number };
  hiddenRows: number;
  hiddenColumns: number;
}

/** Of a sheet, in the format itself. */
const mostRows = 1_048_576;
/** Tags that open: a cell ends where the next one, or a row, begins. */
const tags = /<(?:\w+:)?(c|f|v|t|row|col|mergeCell)(?=[\s/>])([^<>]*)>([^<]*)/gu;

/**
 * Reads a sheet's file as it is unpacked: `write` takes its next letters, `end` says what it says besides its cells.
 */
export function scanSheet(onCell: (cell: SheetCell, extent: SheetDetails['extent']) => void): {
  write(xml: string): void;
  end(): SheetDetails;
} {
  const merges: Merge[] = [];
  const extent = { rows: 0, columns: 0 };
  const counts = { hiddenRows: 0, hiddenColumns: 0 };
  let rest = '';
  let cell: SheetCell | null = null;
  let nextColumn = 0;
  let row = -1;

  const endCell = (): void => {
    if (cell === null) return;
    const ended = cell;
    cell = null;
    nextColumn = ended.column + 1;
    // What is not text and has no letter is blank.
    if (ended.value === '' && ended.formula !== null && ended.type !== 'str') ended.value = null;
    // A cell that only has a format reaches nowhere.
    if (ended.value === null && ended.formula === null) return;
    if (ended.row >= extent.rows) extent.rows = ended.row + 1;
    if (ended.column >= extent.columns) extent.columns = ended.column + 1;
    onCell(ended, extent);
  };
  const scan = (xml: string): void => {
    tags.lastIndex = 0;
    for (let match = tags.exec(xml); match !== null; match = tags.exec(xml)) {
      const [name, attributes, text] = [match[1]!, match[2]!, match[3]!];
      if (name === 'c') {
        endCell();
        cell = openCell(attributes);
      } else if (name === 'v' && cell !== null) cell.value = decodeXmlText(text);
      else if (name === 't' && cell?.type === 'inlineStr') cell.value = (cell.value ?? '') + decodeXmlText(text);
      else if (name === 'f' && cell !== null)
        cell.formula = {
          text: decodeXmlText(text),
          kind: readAttribute(attributes, 't'),
          shared: readAttribute(attributes, 'si'),
        };
      else if (name === 'mergeCell') merges.push(...parseMerge(readAttribute(attributes, 'ref') ?? ''));
      else if (name === 'row') {
        endCell();
        row = Number(readAttribute(attributes, 'r') ?? row + 2) - 1;
        nextColumn = 0;
        if (row >= mostRows) extent.rows = row + 1;
        if (isHidden(attributes)) counts.hiddenRows += 1;
      } else if (name === 'col' && isHidden(attributes)) counts.hiddenColumns += 1;
    }
  };
  return {
    write(xml) {
      rest += xml;
      // A tag is read with the text after it: up to the last one that is whole, with what follows it.
      const cut = rest.lastIndexOf('<');
      if (cut <= 0) return;
      const whole = rest.slice(0, cut);
      rest = rest.slice(cut);
      scan(whole);
    },
    end() {
      scan(rest);
      endCell();
      return { merges, extent, ...counts };
    },
  };

  function openCell(attributes: string): SheetCell {
    const address = readAttribute(attributes, 'r') ?? '';
    const letters = countLetters(address);
    const number = Number(address.slice(letters));
    const isPlaced = letters > 0 && number > 0;
    return {
      row: isPlaced ? number - 1 : Math.max(0, row),
      column: isPlaced ? parseColumn(address.slice(0, letters)) : nextColumn,
      style: Number(readAttribute(attributes, 's') ?? 0),
      type: readAttribute(attributes, 't') ?? 'n',
      value: null,
      formula: null,
    };
  }
}

function countLetters(address: string): number {
  let count = 0;
  while (count < address.length && address.charCodeAt(count) >= 65 && address.charCodeAt(count) <= 90) count += 1;
  return count;
}

function isHidden(attributes: string): boolean {
  return /\shidden="(?:1|true)"/u.test(attributes);
}

function readAttribute(attributes: string, name: string): string | null {
  const start = ` ${name}="`;
  const at = attributes.indexOf(start);
  if (at !== -1) return attributes.slice(at + start.length, attributes.indexOf('"', at + start.length));
  // Rarely set apart by a line's end, or in the other quotes.
  return /[\n\t']/u.test(attributes)
    ? (new RegExp(`\\s${name}=(["'])(.*?)\\1`, 'u').exec(attributes)?.[2] ?? null)
    : null;
}

function parseMerge(reference: string): Merge[] {
  const match = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/u.exec(reference);
  if (!match) return [];
  const [left, right] = [parseColumn(match[1]!), parseColumn(match[3]!)];
  const [top, bottom] = [Number(match[2]) - 1, Number(match[4]) - 1];
  return [{ row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 }];
}
