import { findUnit } from '../../tables/classify-cell.ts';
import { isNumber } from './split-cells.ts';
import { bottom } from './geometry.ts';
import type { Line } from './build-lines.ts';

interface PageLines {
  number: number;
  height: number;
  lines: readonly Line[];
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
export function findRunningLines(pages: readonly PageLines[]): Set<Line> {
  const repeated = findRepeatedLines(pages);
  const numbers = findPageNumbers(pages);
  const running = new Set<Line>();
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
function headsTable(line: Line, below: Line | undefined): boolean {
  if (findUnit(line.text) !== null) return true;
  const isClose = below !== undefined && below.baseline - line.baseline <= 2.5 * line.size;
  return line.segments.length >= 3 && isClose && below.segments.slice(1).some((segment) => isNumber(segment.text));
}

function findRepeatedLines(pages: readonly PageLines[]): Set<Line> {
  const places = new Map<string, { page: number; line: Line; y: number }[]>();
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
  const repeated = new Set<Line>();
  for (const members of places.values()) {
    for (const member of members) {
      const alike = members.filter((other) => Math.abs(other.y - member.y) <= sameHeight);
      if (new Set(alike.map((other) => other.page)).size >= enough) repeated.add(member.line);
    }
  }
  return repeated;
}

/** Numbers on the first or last line that count on from page to page, wherever the page's text ends. */
function findPageNumbers(pages: readonly PageLines[]): Set<Line> {
  const shifts = new Map<string, Line[]>();
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
