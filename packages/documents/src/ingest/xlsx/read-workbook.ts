import { findElements, parseMarkup, readXmlAttribute, type MarkupNode } from '../parse-markup.ts';
import { findBuiltInFormat } from './format-number.ts';

/* What a workbook says besides its values: which sheets are hidden, how numbers are shown, which cells are merged. */

export interface SheetInfo {
  name: string;
  hidden: boolean;
  /** Its file in the archive. */
  path: string | null;
}

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

/** Texts that cells share. */
export function readSharedTexts(files: ReadonlyMap<string, Uint8Array>): string[] {
  const bytes = files.get('xl/sharedStrings.xml');
  if (bytes === undefined) return [];
  const texts: string[] = [];
  let text: string | null = null;
  let spoken = 0;
  for (const [, closing, name, attributes = '', letters = ''] of decoder
    .decode(bytes)
    .matchAll(/<(\/?)(?:\w+:)?(si|t|rPh)(?=[\s/>])([^<>]*)>([^<]*)/gu)) {
    // How a text is pronounced is no part of it.
    if (name === 'rPh') spoken += closing === '/' ? -1 : attributes.endsWith('/') ? 0 : 1;
    else if (name === 't' && closing === '' && spoken === 0) text = (text ?? '') + decodeXmlText(letters);
    else if (name === 'si' && closing === '' && !attributes.endsWith('/')) text = '';
    else if (name === 'si') {
      texts.push(text ?? '');
      text = null;
    }
  }
  return texts;
}

/** Whether days are counted from 1904, as old Macintosh workbooks do. */
export function countsFrom1904(files: ReadonlyMap<string, Uint8Array>): boolean {
  const bytes = files.get('xl/workbook.xml');
  return bytes !== undefined && /<(?:\w+:)?workbookPr[^>]*\sdate1904="(?:1|true)"/u.test(decoder.decode(bytes));
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Letters as XML and spreadsheets write them: `&amp;`, `&#8364;`, `_x000D_`. */
export function decodeXmlText(text: string): string {
  if (!text.includes('&') && !text.includes('_x')) return text;
  return text
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/giu, (whole, hex, decimal, name) => {
      if (name) return entities[String(name).toLowerCase()]!;
      const code = hex ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    })
    .replace(/_x([0-9a-f]{4})_/giu, (_, hex) => String.fromCharCode(Number.parseInt(String(hex), 16)));
}
