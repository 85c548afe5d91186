import { isData } from '../tables/classify-cell.ts';
import { decodeText, describeEncoding } from './decode-text.ts';
import { assertTextSize } from '@agonhq/engine/items';
import type { RawPart, RawReading, ReadingOptions } from './raw.ts';
import { alignRows, isDelimiterRow, splitPipeCells } from './align-rows.ts';
import { pattern } from '@agonhq/engine/text';

const longestHeading = 80;
const listItem = /^\s*(?:[-*•‣◦–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/u;
const numbered = pattern('iu')`
  ^(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,5}\.|(?:chapter|section|part|item|article)\s+[\dIVXivx]+[a-z]?\.?:?)\s+\p{Lu}`;

/** Reads paragraphs between blank lines, headings by their shape, lists, and tables of pipes, tabs or spaces. */
export function readPlainText(bytes: Uint8Array, { name, limits }: ReadingOptions): RawReading {
  assertTextSize(name, bytes.length, limits);
  const { text, encoding } = decodeText(bytes, name);
  return { parts: readTextParts(text), notes: describeEncoding(encoding) };
}

export function readTextParts(text: string): RawPart[] {
  const groups = text.split(/\n[^\S\n]*(?:\n[^\S\n]*)+|\f/u).filter((group) => group.trim() !== '');
  return groups.flatMap((group, index) => readGroup(group, index < groups.length - 1));
}

function readGroup(group: string, hasNext: boolean): RawPart[] {
  const lines = group.split('\n').filter((line) => line.trim() !== '');
  const [first, second] = [lines[0]!.trim(), lines[1]?.trim()];
  if (second !== undefined && /^(?:={3,}|-{3,})$/u.test(second)) {
    const rest = lines.slice(2).join('\n');
    return [
      { kind: 'heading', text: first, level: second.startsWith('=') ? 1 : 2 },
      ...(rest === '' ? [] : readGroup(rest, hasNext)),
    ];
  }
  const table = readTable(lines);
  if (table !== null) return table;
  if (lines.length === 1 && hasNext && isHeading(first))
    return [{ kind: 'heading', text: first, level: findHeadingLevel(first) }];
  if (
    lines.length > 1 &&
    lines.every((line) => listItem.test(line) || /^\s{2,}\S/u.test(line)) &&
    listItem.test(lines[0]!)
  ) {
    return [{ kind: 'list', text: joinItems(lines) }];
  }
  return [{ kind: 'paragraph', text: group.trimEnd().replace(/^\s*\n/u, '') }];
}

function isHeading(line: string): boolean {
  if (
    line.length > longestHeading ||
    /[.!?:;,。]$/u.test(line) ||
    !/\p{L}/u.test(line) ||
    (listItem.test(line) && !numbered.test(line))
  )
    return false;
  if (numbered.test(line)) return true;
  const words = line.split(/\s+/u).filter((word) => /^\p{L}/u.test(word));
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return (
    words.length > 0 && words.length <= 12 && (line === line.toUpperCase() || capitals >= Math.ceil(words.length * 0.6))
  );
}

/** `2.1 Results` is below `2 Results`. */
function findHeadingLevel(line: string): number {
  const number = /^\d{1,2}(?:\.\d{1,2})*/u.exec(line)?.[0];
  return number === undefined ? (line === line.toUpperCase() ? 1 : 2) : number.split('.').length;
}

/** A wrapped line goes on with the item above it. */
function joinItems(lines: readonly string[]): string {
  return lines.reduce(
    (text, line) =>
      text === '' ? line.trim() : listItem.test(line) ? `${text}\n${line.trim()}` : `${text} ${line.trim()}`,
    '',
  );
}

/** Lines that part into the same number of cells; what stands above them is the table's caption. */
function readTable(lines: readonly string[]): RawPart[] | null {
  for (const separator of [/\|/u, /\t/u, /\s{2,}/u]) {
    const start = lines.findIndex((line) => line.trim().split(separator).filter(Boolean).length > 1);
    if (start === -1) continue;
    const isPipe = separator.source === '\\|';
    const rows = lines
      .slice(start)
      .filter((line) => !isDelimiterRow(line))
      .map((line) =>
        isPipe
          ? splitPipeCells(line)
          : line
              .trim()
              .split(separator)
              .map((cell) => cell.trim()),
      );
    const wide = rows.filter((row) => row.length > 1);
    const data = rows.filter((row) => row.slice(1).some(isData));
    const enough = isPipe ? wide.length >= 2 : wide.length >= 3 && data.length >= rows.length * 0.5;
    if (!enough || wide.length < rows.length * 0.6 || start > 4) continue;
    const above = lines.slice(0, start).map((line): RawPart => ({ kind: 'paragraph', text: line, caption: true }));
    return [...above, { kind: 'table', rows: alignRows(rows) }];
  }
  return null;
}
