import type { RawCell, RawPart } from '../raw.ts';

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

/**
 * Words, names, numbers: what can stand in one line with others of its kind. Sentences and longer texts stand by
 * themselves.
 */
export function isWord(value: Scalar): boolean {
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
  return { text: value.map(formatScalar).join(value.every(isWord) ? ', ' : ' ') };
}
