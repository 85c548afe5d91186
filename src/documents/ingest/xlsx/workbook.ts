import { elementsNamed, parseMarkup, type MarkupNode } from '../markup.ts';
import { builtInFormat } from './number-format.ts';

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

export interface SheetDetails {
  cells: ReadonlyMap<string, CellInfo>;
  merges: readonly { row: number; column: number; rows: number; columns: number }[];
  /** Formulas whose value the file does not hold. */
  unsaved: number;
  hiddenRows: number;
  hiddenColumns: number;
}

const decoder = new TextDecoder();

export function xmlOf(files: ReadonlyMap<string, Uint8Array>, path: string): MarkupNode | null {
  const bytes = files.get(path);
  return bytes === undefined ? null : parseMarkup(decoder.decode(bytes), 'text/xml');
}

export function sheetsOf(files: ReadonlyMap<string, Uint8Array>): SheetInfo[] {
  const workbook = xmlOf(files, 'xl/workbook.xml');
  const relations = xmlOf(files, 'xl/_rels/workbook.xml.rels');
  const targets = new Map(
    (relations ? elementsNamed(relations, 'relationship') : []).map((relation) => [relation.getAttribute('Id'), relation.getAttribute('Target') ?? '']),
  );
  return (workbook ? elementsNamed(workbook, 'sheet') : []).map((sheet) => {
    const target = targets.get(sheet.getAttribute('r:id') ?? sheet.getAttribute('relationships:id'));
    return {
      name: sheet.getAttribute('name') ?? '',
      hidden: ['hidden', 'veryHidden'].includes(sheet.getAttribute('state') ?? ''),
      path: target === undefined ? null : target.startsWith('/') ? target.slice(1) : `xl/${target}`,
    };
  });
}

/** The number format of each style of a cell. */
export function formatsOf(files: ReadonlyMap<string, Uint8Array>): string[] {
  const styles = xmlOf(files, 'xl/styles.xml');
  if (styles === null) return [];
  const named = new Map(elementsNamed(styles, 'numfmt').map((format) => [Number(format.getAttribute('numFmtId')), format.getAttribute('formatCode') ?? 'General']));
  const [cellFormats] = elementsNamed(styles, 'cellxfs');
  return (cellFormats ? elementsNamed(cellFormats, 'xf') : []).map((format) => {
    const id = Number(format.getAttribute('numFmtId') ?? 0);
    return named.get(id) ?? builtInFormat(id);
  });
}

/** A sheet can hold millions of cells: their tags are read as they pass, without a tree. */
export function detailsOf(files: ReadonlyMap<string, Uint8Array>, path: string | null): SheetDetails {
  const bytes = path === null ? undefined : files.get(path);
  const xml = bytes === undefined ? '' : decoder.decode(bytes);
  const cells = new Map<string, CellInfo>();
  let unsaved = 0;
  for (const [, attributes, inner = ''] of xml.matchAll(/<(?:\w+:)?c\b([^>]*?)(?:\/>|>(.*?)<\/(?:\w+:)?c>)/gsu)) {
    const address = attribute(attributes!, 'r');
    const value = /<(?:\w+:)?v\b[^>]*>([^<]*)</u.exec(inner)?.[1];
    if (value === undefined && /<(?:\w+:)?f\b/u.test(inner)) unsaved += 1;
    if (address === null) continue;
    const isError = attribute(attributes!, 't') === 'e' && value !== undefined;
    const style = Number(attribute(attributes!, 's') ?? 0);
    if (style !== 0 || isError) cells.set(address, { style, ...(isError ? { error: value } : {}) });
  }
  const merges = [...xml.matchAll(/<(?:\w+:)?mergeCell\b([^>]*)>/gu)].flatMap(([, attributes]) => rangeOf(attribute(attributes!, 'ref') ?? ''));
  const hiddenRows = [...xml.matchAll(/<(?:\w+:)?row\b[^>]*\bhidden="(?:1|true)"/gu)].length;
  const hiddenColumns = [...xml.matchAll(/<(?:\w+:)?col\b[^>]*\bhidden="(?:1|true)"/gu)].length;
  return { cells, merges, unsaved, hiddenRows, hiddenColumns };
}

function attribute(attributes: string, name: string): string | null {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'u').exec(attributes)?.[1] ?? null;
}

function rangeOf(reference: string): { row: number; column: number; rows: number; columns: number }[] {
  const match = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/u.exec(reference);
  if (!match) return [];
  const [left, top, right, bottom] = [columnNumber(match[1]!), Number(match[2]) - 1, columnNumber(match[3]!), Number(match[4]) - 1];
  return [{ row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 }];
}

function columnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** `B3` for row 2, column 1. */
export function addressOf(row: number, column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return `${letters}${row + 1}`;
}
