import { findElements, parseMarkup, readXmlAttribute, type MarkupNode } from '../parse-markup.ts';
import { findBuiltInFormat } from './format-number.ts';

/* What a workbook says besides its values: which sheets are hidden, how numbers are shown, which cells are merged. */

export interface SheetInfo {
  name: string;
  hidden: boolean;
  /** Its file in the archive. */
  path: string | null;
}

export interface CellInfo {
  style: number;
  /** `#DIV/0!` */
  error?: string;
}

/** The place of a merged cell, and how many rows and columns it covers. */
export interface Merge {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

export interface SheetDetails {
  cells: ReadonlyMap<string, CellInfo>;
  merges: readonly Merge[];
  /** How far down and to the right its cells reach, as their addresses say. */
  extent: { rows: number; columns: number };
  /** Formulas whose value the file does not hold. */
  unsaved: number;
  hiddenRows: number;
  hiddenColumns: number;
}

/** Of a sheet, in the format itself. */
const mostRows = 1_048_576;
const decoder = new TextDecoder();

export function parseXml(files: ReadonlyMap<string, Uint8Array>, path: string): MarkupNode | null {
  const bytes = files.get(path);
  return bytes === undefined ? null : parseMarkup(decoder.decode(bytes), 'text/xml');
}

export function listSheets(files: ReadonlyMap<string, Uint8Array>): SheetInfo[] {
  const workbook = parseXml(files, 'xl/workbook.xml');
  const relations = parseXml(files, 'xl/_rels/workbook.xml.rels');
  const targets = new Map(
    (relations ? findElements(relations, 'relationship') : []).map((relation) => [
      readXmlAttribute(relation, 'Id'),
      readXmlAttribute(relation, 'Target') ?? '',
    ]),
  );
  return (workbook ? findElements(workbook, 'sheet') : []).map((sheet) => {
    const target = targets.get(readXmlAttribute(sheet, 'r:id') ?? readXmlAttribute(sheet, 'relationships:id'));
    return {
      name: readXmlAttribute(sheet, 'name') ?? '',
      hidden: ['hidden', 'veryHidden'].includes(readXmlAttribute(sheet, 'state') ?? ''),
      path: target === undefined ? null : target.startsWith('/') ? target.slice(1) : `xl/${target}`,
    };
  });
}

/** The number format of each style of a cell. */
export function readFormats(files: ReadonlyMap<string, Uint8Array>): string[] {
  const styles = parseXml(files, 'xl/styles.xml');
  if (styles === null) return [];
  const named = new Map(
    findElements(styles, 'numfmt').map((format) => [
      Number(readXmlAttribute(format, 'numFmtId')),
      readXmlAttribute(format, 'formatCode') ?? 'General',
    ]),
  );
  const [cellFormats] = findElements(styles, 'cellxfs');
  return (cellFormats ? findElements(cellFormats, 'xf') : []).map((format) => {
    const id = Number(readXmlAttribute(format, 'numFmtId') ?? 0);
    return named.get(id) ?? findBuiltInFormat(id);
  });
}

/** A sheet can hold millions of cells: their tags are read as they pass, without a tree. */
export function readSheetDetails(files: ReadonlyMap<string, Uint8Array>, path: string | null): SheetDetails {
  const bytes = path === null ? undefined : files.get(path);
  const xml = bytes === undefined ? '' : decoder.decode(bytes);
  const cells = new Map<string, CellInfo>();
  const merges: Merge[] = [];
  const extent = { rows: 0, columns: 0 };
  const counts = { unsaved: 0, hiddenRows: 0, hiddenColumns: 0 };
  let cell: { attributes: string; hasFormula: boolean; value: string | null } | null = null;
  const endCell = (): void => {
    if (cell === null) return;
    const { attributes, hasFormula, value } = cell;
    cell = null;
    if (hasFormula && value === null) counts.unsaved += 1;
    const address = readAttribute(attributes, 'r');
    // A cell that only has a format reaches nowhere.
    if (!attributes.endsWith('/')) extendTo(extent, address);
    const isError = readAttribute(attributes, 't') === 'e' && value !== null;
    const style = Number(readAttribute(attributes, 's') ?? 0);
    if (address !== null && (style !== 0 || isError))
      cells.set(address, { style, ...(isError ? { error: value } : {}) });
  };
  for (const [, closing, name, attributes = '', text = ''] of xml.matchAll(
    /<(\/?)(?:\w+:)?(c|f|v|row|col|mergeCell)(?=[\s/>])([^<>]*)>([^<]*)/gu,
  )) {
    if (name === 'c') {
      endCell();
      if (closing === '') cell = { attributes, hasFormula: false, value: null };
    } else if (closing === '/') continue;
    else if (name === 'f' && cell !== null) cell.hasFormula = true;
    else if (name === 'v' && cell !== null) cell.value = text;
    else if (name === 'mergeCell') merges.push(...parseMerge(readAttribute(attributes, 'ref') ?? ''));
    else if (name === 'row' && Number(readAttribute(attributes, 'r')) > mostRows)
      extent.rows = Number(readAttribute(attributes, 'r'));
    else if (/\shidden="(?:1|true)"/u.test(attributes)) counts[name === 'row' ? 'hiddenRows' : 'hiddenColumns'] += 1;
  }
  endCell();
  return { cells, merges, extent, ...counts };
}

function readAttribute(attributes: string, name: string): string | null {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'u').exec(attributes)?.[1] ?? null;
}

function extendTo(extent: { rows: number; columns: number }, address: string | null): void {
  const match = /^([A-Z]+)(\d+)$/u.exec(address ?? '');
  if (!match) return;
  extent.rows = Math.max(extent.rows, Number(match[2]));
  extent.columns = Math.max(extent.columns, parseColumn(match[1]!) + 1);
}

function parseMerge(reference: string): Merge[] {
  const match = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/u.exec(reference);
  if (!match) return [];
  const [left, top, right, bottom] = [
    parseColumn(match[1]!),
    Number(match[2]) - 1,
    parseColumn(match[3]!),
    Number(match[4]) - 1,
  ];
  return [{ row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 }];
}

function parseColumn(letters: string): number {
  return Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** `B3` for row 2, column 1. */
export function formatAddress(row: number, column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return `${letters}${row + 1}`;
}
