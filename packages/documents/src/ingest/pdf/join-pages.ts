import type { RawCell, RawPart } from '../raw.ts';
import { detectHeaders } from '../detect-headers.ts';
import { isNumberText } from './split-cells.ts';
import { upperMedian } from '@agonhq/engine/statistics';
import type { PagePart } from './build-parts.ts';
import { findUnit } from '../../tables/classify-cell.ts';
import { bottom } from './geometry.ts';
import type { PdfLine } from './build-lines.ts';

/** In points: columns that stand this near to one another on two pages are the same. */
const sameEdge = 4;

/** After its last line a table does not go on, whatever names stand below. */
const closing = /^(?:grand |overall )?totals?:?$/iu;

/** Joins what breaks off at the foot of a page: a paragraph in mid-sentence, a table without its header. */
export function joinPages(pages: readonly PagePart[][]): PagePart[] {
  const all: PagePart[] = [];
  for (const parts of pages) {
    const [first, ...rest] = parts;
    const last = all.at(-1);
    if (!first) continue;
    if (last && continuesText(last.part, first.part)) all[all.length - 1] = { part: joinText(last.part, first.part) };
    else if (last && continuesTable(last.part, first.part))
      all[all.length - 1] = { part: joinTable(last.part, first.part) };
    else all.push(first);
    all.push(...rest);
  }
  return all;
}

function continuesText(last: RawPart, first: RawPart): boolean {
  if (last.kind !== 'paragraph' || first.kind !== 'paragraph' || last.ocr !== first.ocr) return false;
  return last.text!.length > 60 && /[\p{L},\d)]$/u.test(last.text!) && /^\p{Ll}/u.test(first.text!);
}

function joinText(last: RawPart, first: RawPart): RawPart {
  const shift = last.text!.length + 1;
  const moved = first.lineBoxes!.map(({ start, end, box }) => ({ start: start + shift, end: end + shift, box }));
  return { ...last, text: `${last.text} ${first.text}`, lineBoxes: [...last.lineBoxes!, ...moved] };
}

/** Rows in the columns of the table that the page before ends with, under no names of their own or the same again. */
function continuesTable(last: RawPart, first: RawPart): boolean {
  if (!last.rows || !first.rows || last.ocr !== first.ocr) return false;
  const columns = last.rows[0]!.length;
  if (first.rows[0]!.length !== columns) return false;
  const [header, again] = [listHeaderTexts(last.rows), listHeaderTexts(first.rows)];
  if (
    header.length === 0 ||
    (again.length > 0 && (again.join('\n') !== header.join('\n') || closing.test(last.rows.at(-1)![0]?.text ?? '')))
  )
    return false;
  const [above, below] = [findColumnEdges(last.rows, columns), findColumnEdges(first.rows, columns)];
  return (
    below.every(
      (edge, column) => edge === null || (above[column] !== null && Math.abs(edge - above[column]!) <= sameEdge),
    ) && below.slice(1).some((edge) => edge !== null)
  );
}

/** The texts of its header rows. */
function listHeaderTexts(rows: NonNullable<RawPart['rows']>): string[] {
  return rows
    .slice(0, detectHeaders(rows, rows[0]!.length).headerRows)
    .map((row) => row.map((cell) => cell?.text ?? '').join(' | '));
}

/** Where the labels begin, and where the numbers of each column end: null of a column without numbers. */
function findColumnEdges(rows: NonNullable<RawPart['rows']>, columns: number): (number | null)[] {
  return Array.from({ length: columns }, (_, column) => {
    const cells = rows.flatMap((row) => row[column] ?? []).filter((cell) => (cell.boxes?.length ?? 0) > 0);
    if (column === 0) return cells.length === 0 ? null : Math.min(...cells.map((cell) => cell.boxes![0]!.x));
    const ends = cells.filter((cell) => isNumberText(cell.text)).map(findNumberEnd);
    return upperMedian(ends);
  });
}

/** Without a bracket or a sign, which hang over the edge. */
function findNumberEnd({ text, boxes }: RawCell): number {
  const { x, width } = boxes!.at(-1)!;
  const hangs = /(?<![)%])[)%]+$/u.exec(text)?.[0].length ?? 0;
  return x + width * (1 - hangs / text.length);
}

function joinTable(last: RawPart, first: RawPart): RawPart {
  return {
    ...last,
    rows: [...last.rows!, ...first.rows!.slice(listHeaderTexts(first.rows!).length)],
    boxes: [...(last.boxes ?? []), ...(first.boxes ?? [])],
  };
}

interface PageLines {
  number: number;
  height: number;
  lines: readonly PdfLine[];
}

/** How much of a page, at the top and at the bottom, may hold running heads and feet. */
const margin = 0.12;

const mostLines = 4;

/** Running lines stand at the same height on every page, within so many points. */
const sameHeight = 6;

/** A number that may count pages or chapters; a year or a quarter tells one title from another. */
const counting = /(?<![QH\d])(?!(?:19|20)\d\d(?!\d))\d+/g;

const pageNumber = /^[-–—\s]*(?:page\s+|p\.\s*)?(?:[A-Z]{1,2}-)?(\d{1,4})(?:\s*(?:of|\/)\s*\d{1,4})?[-–—\s]*$/iu;

/** Running heads, feet and page numbers: lines at the edge of the page that come again on others. */
export function findRunningLines(pages: readonly PageLines[]): Set<PdfLine> {
  const repeated = findRepeatedLines(pages);
  const numbers = findPageNumbers(pages);
  const running = new Set<PdfLine>();
  for (const { lines } of pages) {
    const sorted = lines.toSorted((one, other) => one.y - other.y);
    // From the edge inwards, so that a line of the text never counts, however often it comes.
    for (const inwards of [sorted, sorted.toReversed()]) {
      for (const line of inwards.slice(0, mostLines)) {
        if ((!repeated.has(line) && !numbers.has(line)) || headsTable(line, sorted[sorted.indexOf(line) + 1])) break;
        running.add(line);
      }
    }
  }
  return running;
}

/** The unit or the columns of a table that comes first on its page, as it does on others. */
function headsTable(line: PdfLine, below: PdfLine | undefined): boolean {
  if (findUnit(line.text) !== null) return true;
  const isClose = below !== undefined && below.baseline - line.baseline <= 2.5 * line.size;
  return line.segments.length >= 3 && isClose && below.segments.slice(1).some((segment) => isNumberText(segment.text));
}

function findRepeatedLines(pages: readonly PageLines[]): Set<PdfLine> {
  const places = new Map<string, { page: number; line: PdfLine; y: number }[]>();
  for (const [page, { height, lines }] of pages.entries()) {
    for (const line of lines) {
      const isTop = bottom(line) < height * margin;
      if (!isTop && line.y < height * (1 - margin)) continue;
      const key = `${isTop ? 'top' : 'foot'}|${line.text.replaceAll(counting, '#')}`;
      const there = places.get(key) ?? [];
      there.push({ page, line, y: isTop ? line.y : height - line.y });
      places.set(key, there);
    }
  }
  const enough = Math.max(3, Math.ceil(pages.length * 0.05));
  const repeated = new Set<PdfLine>();
  for (const members of places.values()) {
    for (const member of members) {
      const alike = members.filter((other) => Math.abs(other.y - member.y) <= sameHeight);
      if (new Set(alike.map((other) => other.page)).size >= enough) repeated.add(member.line);
    }
  }
  return repeated;
}

/** Numbers on the first or last line that count on from page to page, wherever the page's text ends. */
function findPageNumbers(pages: readonly PageLines[]): Set<PdfLine> {
  const shifts = new Map<string, PdfLine[]>();
  for (const { number, lines } of pages) {
    const sorted = lines.toSorted((one, other) => one.y - other.y);
    for (const [place, line] of [
      ['top', sorted[0]],
      ['foot', sorted.at(-1)],
    ] as const) {
      const found = line && pageNumber.exec(line.text);
      if (!found) continue;
      const key = `${place}|${Number(found[1]) - number}`;
      shifts.set(key, [...(shifts.get(key) ?? []), line]);
    }
  }
  const enough = Math.min(3, Math.max(2, pages.length));
  return new Set([...shifts.values()].filter((lines) => lines.length >= enough).flat());
}
