import type { RawCell, RawPart } from '../raw.ts';
import { readHtmlParts } from '../html/read-html.ts';
import { alignRows, isDelimiterRow, splitPipeCells } from '../align-rows.ts';

export type Scalar = string | number | boolean | null;

export type Json = Scalar | Json[] | { [key: string]: Json };

export function isScalar(value: Json): value is Scalar {
  return value === null || typeof value !== 'object';
}

export function isRecord(value: Json): value is { [key: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

export function formatScalar(value: Scalar): string {
  return value === null ? '' : String(value);
}

const sentenceEnd = /(?:\s\S+){3}[.!?:;]["')\]”’]*$|[。！？]["')\]”’」』]*$/u;

/** What can stand in one line with others of its kind: words, names, numbers, but no sentences. */
export function isFieldWord(value: Scalar): boolean {
  const text = formatScalar(value).trim();
  return text.length < 60 && !sentenceEnd.test(text);
}

/** Alike objects as the rows of a table; members of members get columns of their own. Null when they are not alike. */
export function buildRecordTable(records: readonly { [key: string]: Json }[]): RawPart | null {
  const flat = records.map((record) => flattenRecord(record, ''));
  const columns = [...new Set(flat.flatMap((record) => [...record.keys()]))];
  const filled =
    flat.reduce((total, record) => total + record.size, 0) / (records.length * Math.max(1, columns.length));
  if (columns.length === 0 || filled < 0.3) return null;
  const header: RawCell[] = columns.map((text) => ({ text }));
  return {
    kind: 'table',
    rows: [header, ...flat.map((record) => columns.map((column) => record.get(column) ?? { text: '' }))],
    headerRows: 1,
  };
}

function flattenRecord(record: { [key: string]: Json }, prefix: string): Map<string, RawCell> {
  const cells = new Map<string, RawCell>();
  for (const [key, value] of Object.entries(record)) {
    const name = prefix === '' ? key : `${prefix} ${key}`;
    if (isRecord(value) && prefix.length < 200)
      for (const [inner, cell] of flattenRecord(value, name)) cells.set(inner, cell);
    else cells.set(name, buildCell(value));
  }
  return cells;
}

function buildCell(value: Json): RawCell {
  if (typeof value === 'number') return { text: String(value), value };
  if (isScalar(value)) return { text: formatScalar(value) };
  if (!Array.isArray(value) || !value.every(isScalar)) return { text: JSON.stringify(value) };
  return { text: value.map(formatScalar).join(value.every(isFieldWord) ? ', ' : ' ') };
}

/** Lines. */
const longestCaption = 5;

const textKeys = ['context', 'text', 'content', 'paragraph'];

/**
 * A document that was filed as a list of its own parts: `{ id, type: 'paragraph' | 'table', context: '…' }`.
 * Each block keeps the number that the file gives it. Null for any other list.
 * Its tables may stand beside it as HTML, one for each, which says more of their cells than their text does.
 */
export function readFiledParts(values: readonly Json[], htmlTables: readonly string[] = []): RawPart[] | null {
  if (!values.every(isRecord)) return null;
  const key = textKeys.find((name) => values.every((value) => typeof value[name] === 'string'));
  if (
    key === undefined ||
    !values.every((value) => Object.keys(value).length <= 4 && ('type' in value || 'id' in value))
  )
    return null;
  const tables = values.filter((value) => value.type === 'table');
  const html = new Map(
    tables.length === htmlTables.length ? tables.map((value, index) => [value, htmlTables[index]!]) : [],
  );
  return values.flatMap((value, index) => {
    const sourceIndex = typeof value.id === 'number' ? value.id : index;
    const text = value[key] as string;
    const parts = value.type === 'table' ? readTableParts(text, html.get(value)) : [buildTextPart(text, value.type)];
    return parts.map((part) => ({ ...part, sourceIndex }));
  });
}

function buildTextPart(text: string, type: Json | undefined): RawPart {
  return type === 'heading' || type === 'title'
    ? { kind: 'heading', text, level: 1 }
    : { kind: 'paragraph', text, linesApart: true };
}

/** Lines with pipes are rows; lines above them name the table. */
function readTableParts(text: string, html: string | undefined): RawPart[] {
  const parts: RawPart[] = [];
  let rows: string[][] = [];
  let words: string[] = [];
  const endTable = (): void => {
    if (rows.length > 0) parts.push({ kind: 'table', rows: alignRows(rows) });
    rows = [];
  };
  const endWords = (): void => {
    parts.push(...buildWordParts(words));
    words = [];
  };
  for (const line of text.split('\n').filter((candidate) => candidate.trim() !== '')) {
    if (/^\s*\|/u.test(line)) {
      endWords();
      if (!isDelimiterRow(line)) rows.push(splitPipeCells(line));
    } else {
      endTable();
      words.push(line);
    }
  }
  endTable();
  endWords();
  const tables = parts.filter((part) => part.kind === 'table');
  const better = html === undefined || tables.length !== 1 ? [] : readHtmlParts(html).parts;
  return better.length === 1 && better[0]!.kind === 'table'
    ? parts.map((part) => (part.kind === 'table' ? better[0]! : part))
    : parts;
}

/** The short lines right above a table are its caption. */
function buildWordParts(lines: readonly string[]): RawPart[] {
  let first = lines.length;
  while (
    first > Math.max(0, lines.length - longestCaption) &&
    lines[first - 1]!.length < 160 &&
    !/[.!?]\s*$/u.test(lines[first - 1]!)
  )
    first -= 1;
  const part = (own: readonly string[], more: Partial<RawPart>): RawPart[] =>
    own.length === 0 ? [] : [{ kind: 'paragraph', text: own.join('\n'), linesApart: true, ...more }];
  return [...part(lines.slice(0, first), {}), ...part(lines.slice(first), { caption: true })];
}
