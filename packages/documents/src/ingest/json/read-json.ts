import { AgonError } from '@agonhq/engine/agon-error';
import { decodeText, describeEncoding } from '../decode-text.ts';
import { assertTextSize, readExtension } from '@agonhq/engine/items';
import type { RawPart, RawReading, ReadingOptions } from '../raw.ts';
import { readHtmlParts } from '../html/read-html.ts';
import {
  readFiledParts,
  isRecord,
  isScalar,
  isFieldWord,
  buildRecordTable,
  formatScalar,
  type Json,
  type Scalar,
} from './json-parts.ts';

const deepest = 60;

/** Reads JSON or JSON lines: lists of alike objects become tables, objects become sections, the rest key and value. */
export function ingestJson(bytes: Uint8Array, { name, limits }: ReadingOptions): RawReading {
  assertTextSize(name, bytes.length, limits);
  const { text, encoding } = decodeText(bytes, name);
  const value = parseJson(text, name);
  const parts = readParts(value, 1, name);
  for (const { rows } of parts) {
    if (rows && (rows.length > limits.tableRows || rows.length * (rows[0]?.length ?? 0) > limits.tableCells)) {
      throw new AgonError(
        'document-too-large',
        `${name} holds a table of ${rows.length} rows; the limit is ${limits.tableRows}.`,
        'Cut it to what is to be judged.',
      );
    }
  }
  return { parts, notes: [...describeEncoding(encoding), ...describeRepeatedKeys(text)] };
}

function describeRepeatedKeys(text: string): string[] {
  const keys = [...findRepeatedKeys(text)];
  return keys.length === 0
    ? []
    : [
        `A key that an object has twice was read with its last value: ${keys
          .slice(0, 5)
          .map((key) => `“${key.slice(0, 40)}”`)
          .join(', ')}${keys.length > 5 ? ' …' : ''}.`,
      ];
}

function parseJson(text: string, name: string): Json {
  const isLines = ['jsonl', 'ndjson'].includes(readExtension(name));
  try {
    if (!isLines) return JSON.parse(text) as Json;
  } catch (cause) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2 || !/^\s*[[{]/u.test(lines[0]!) || !isJsonLine(lines[0]!)) throw notJson(name, cause);
  }
  return text.split('\n').flatMap((line, index): Json[] => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Json];
    } catch (cause) {
      throw notJson(`Line ${index + 1} of ${name}`, cause);
    }
  });
}

function isJsonLine(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function notJson(what: string, cause: unknown): AgonError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AgonError(
    'not-json',
    `${what} is not JSON: ${why}.`,
    'Check the file; a text that is not JSON needs another extension.',
    { cause },
  );
}

function readParts(value: Json, level: number, name: string): RawPart[] {
  if (level > deepest)
    throw new AgonError(
      'document-too-deep',
      `${name} is nested more than ${deepest} levels deep.`,
      'Pass the part of it that is to be judged.',
    );
  if (isScalar(value))
    return isMarkup(value)
      ? [...readHtmlParts(formatScalar(value)).parts]
      : [{ kind: 'paragraph', text: formatScalar(value) }];
  if (Array.isArray(value)) return readArrayParts(value, level, name);
  const filed = readFiledDocument(value);
  if (filed) return filed;
  const pivot = buildPivotTable(value);
  if (pivot) return [pivot];
  const parts: RawPart[] = [];
  let lines: string[] = [];
  const endList = (): void => {
    if (lines.length > 0) parts.push({ kind: 'list', text: lines.join('\n') });
    lines = [];
  };
  for (const [key, member] of Object.entries(value)) {
    if (
      (isScalar(member) && !isMarkup(member)) ||
      (Array.isArray(member) && member.every((item) => isScalar(item) && isFieldWord(item) && !isMarkup(item)))
    ) {
      const text = isScalar(member)
        ? formatScalar(member)
        : member.map((item) => formatScalar(item as string)).join(', ');
      lines.push(`${key}: ${text.replace(/(?<!\s)\s*\n\s*/gu, ' ')}`);
      continue;
    }
    endList();
    parts.push({ kind: 'heading', text: key, level: Math.min(level, 6) }, ...readParts(member, level + 1, name));
  }
  endList();
  return parts;
}

/** An object whose one long member is a document filed in parts; what else it says stands above it. */
function readFiledDocument(value: { [key: string]: Json }): RawPart[] | null {
  const entries = Object.entries(value);
  const [htmlKey, html = []] =
    entries.find(([, member]) => Array.isArray(member) && member.length > 0 && member.every(isMarkup)) ?? [];
  for (const [key, member] of entries) {
    const parts = Array.isArray(member) ? readFiledParts(member, html as string[]) : null;
    if (!parts) continue;
    const rest = entries.filter(([name]) => name !== key && name !== htmlKey);
    if (!rest.every(([, other]) => isScalar(other))) return null;
    const lines = rest.map(([name, other]) => `${name}: ${formatScalar(other as Scalar)}`);
    return lines.length === 0 ? parts : [{ kind: 'list', text: lines.join('\n') }, ...parts];
  }
  return null;
}

function isMarkup(value: Json): boolean {
  return typeof value === 'string' && /^\s*<table\b/iu.test(value);
}

function readArrayParts(values: readonly Json[], level: number, name: string): RawPart[] {
  if (values.length === 0) return [];
  const filed = readFiledParts(values);
  if (filed) return filed;
  if (values.every(isRecord)) {
    const table = buildRecordTable(values);
    if (table) return [table];
  }
  if (values.length > 1 && values.every((row) => Array.isArray(row) && row.every(isScalar))) {
    const rows = values.map((row) =>
      (row as Json[]).map((cell) => ({
        text: formatScalar(cell as string),
        ...(typeof cell === 'number' ? { value: cell } : {}),
      })),
    );
    return [{ kind: 'table', rows }];
  }
  if (values.every(isScalar) && !values.some(isMarkup)) {
    const texts = values.map((value) => formatScalar(value));
    return texts.some((text) => text.length > 200)
      ? texts.map((text) => ({ kind: 'paragraph', text }))
      : [{ kind: 'list', text: texts.map((text) => text.replace(/(?<!\s)\s*\n\s*/gu, ' ')).join('\n') }];
  }
  return values.flatMap((value, index) =>
    isScalar(value)
      ? readParts(value, level, name)
      : [
          { kind: 'heading' as const, text: String(index + 1), level: Math.min(level, 6) },
          ...readParts(value, level + 1, name),
        ],
  );
}

/** `{ "2023": { "revenue": 1 }, "2022": { "revenue": 2 } }` is a table whose rows are named by the keys. */
function buildPivotTable(value: { [key: string]: Json }): RawPart | null {
  const entries = Object.entries(value);
  if (entries.length < 2 || !entries.every(([, member]) => isRecord(member) && Object.values(member).every(isScalar)))
    return null;
  const keys = entries.map(([, member]) => Object.keys(member as object));
  const shared = keys[0]!.filter((key) => keys.every((own) => own.includes(key)));
  if (shared.length === 0 || keys.some((own) => own.length > shared.length * 2)) return null;
  return buildRecordTable(entries.map(([key, member]) => ({ '': key, ...(member as object) })));
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gu;

/** Keys that an object of a sound JSON text has more than once: parsers keep the last value, and lose the others. */
function findRepeatedKeys(text: string): Set<string> {
  const repeated = new Set<string>();
  /** The keys of the objects around this place; null for a list. */
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [found] of text.matchAll(token)) {
    if (found === '{') open.push(new Set());
    else if (found === '[') open.push(null);
    else if (found === '}' || found === ']') open.pop();
    else if (found === ':') {
      const keys = open.at(-1);
      if (keys?.has(last)) repeated.add(JSON.parse(last) as string);
      keys?.add(last);
    }
    last = found;
  }
  return repeated;
}
