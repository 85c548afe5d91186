import { isValue } from './split-cells.ts';
import { overlap, right, union, type Area } from './geometry.ts';
import type { Rule } from './read-graphics.ts';
import { type PdfLine, type Segment, joinRuns } from './build-lines.ts';
import type { PlacedRow } from './merge-table-rows.ts';
import type { GlyphRun } from './read-runs.ts';
import { pattern } from '@agonhq/engine/text';

export interface PdfRow {
  line: PdfLine;
  cells: Segment[];
}

export interface PdfColumn {
  start: number;
  end: number;
}

/** Words that head several columns at once. */
export const heads = pattern('iu')`
  \b(?:ended|ending|years?|months|quarters?|weeks|fiscal|january|february|march|april|may|june|july|august|september
  |october|november|december|as of|increase|change|total)\b|^(?:FY|H[12]|Q[1-4])?\s?(?:19|20)\d\d$`;

/** Stretches that cells cover, parted by gutters. A long label that reaches under a number closes no gutter. */
export function findColumns(rows: readonly PdfRow[]): PdfColumn[] {
  const all = union(rows.flatMap((row) => row.cells));
  const origin = Math.floor(all.x);
  const length = Math.ceil(all.width) + 2;
  const values = new Uint16Array(length);
  const texts = new Uint16Array(length);
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      const counts = index > 0 && isValue(cell.text) ? values : texts;
      const [from, to] = [Math.round(cell.x - origin), Math.round(right(cell) - origin)];
      for (let at = from; at < to; at += 1) counts[at]! += 1;
    }
  }
  const tolerated = rows.length >= 6 ? Math.max(1, Math.floor(rows.length * 0.12)) : 0;
  const columns: PdfColumn[] = [];
  let open: PdfColumn | null = null;
  let touchesValues = false;
  for (let at = 0; at < length; at += 1) {
    const isCovered = values[at]! > 0 || texts[at]! > tolerated;
    if (
      isCovered &&
      open &&
      !touchesValues &&
      values[at]! > 0 &&
      texts[at]! <= tolerated &&
      texts[at - 1]! > tolerated &&
      values[at - 1] === 0
    ) {
      columns.push(open);
      open = null;
    }
    if (isCovered) {
      open ??= { start: origin + at, end: origin + at };
      open.end = origin + at + 1;
      touchesValues = values[at]! > 0;
    } else if (open) {
      columns.push(open);
      open = null;
    }
  }
  if (open) columns.push(open);
  return columns;
}

/** Header lines are placed with the rules under them. */
export function placeRow(row: PdfRow, columns: readonly PdfColumn[], header: readonly Rule[] | null): PlacedRow {
  const cells: PlacedRow['cells'] = new Map();
  const spans = header ? findHeaderSpans(row, columns, header) : null;
  for (const [index, cell] of row.cells.entries()) {
    const { column, count } = spans?.[index] ?? {
      column: findColumn(cell, columns, index === 0 && row.cells.length === 1),
      count: 1,
    };
    const there = cells.get(column);
    if (there) there.lines.push(cell);
    else cells.set(column, { lines: [cell], columns: count });
  }
  return { baseline: row.line.baseline, size: row.line.size, cells };
}

function findColumn(cell: Segment, columns: readonly PdfColumn[], alone: boolean): number {
  const first = columns[0]!;
  // A label may be longer than its column where nothing stands beside it.
  if (cell.x < first.end && (alone || !isValue(cell.text))) return 0;
  let best = 0;
  let most = -Infinity;
  for (const [index, column] of columns.entries()) {
    const shared =
      overlap(cell.x, right(cell), column.start, column.end) -
      (isValue(cell.text) ? Math.abs(right(cell) - column.end) * 0.01 : 0);
    if (shared > most) [best, most] = [index, shared];
  }
  return best;
}

/** Which columns the cells of a header line stand over: one that is ruled or centred over several names them all. */
function findHeaderSpans(
  { cells, line }: PdfRow,
  columns: readonly PdfColumn[],
  rules: readonly Rule[],
): { column: number; count: number }[] {
  const over = cells.map((cell) => {
    const touched = columns.flatMap((column, index) =>
      overlap(cell.x, right(cell), column.start, column.end) > 0 ? [index] : [],
    );
    return touched.length > 0 ? touched : [findColumn(cell, columns, false)];
  });
  return cells.map((cell, index) => {
    const own = over[index]!;
    if (own[0] === 0 && cell.x < columns[0]!.end) return { column: 0, count: 1 };
    const least = index > 0 ? Math.max(1, over[index - 1]!.at(-1)! + 1) : 1;
    const most = index < cells.length - 1 ? over[index + 1]![0]! - 1 : columns.length - 1;
    const ruled = findRuledColumns(cell, line, columns, rules).filter((column) => column >= least && column <= most);
    const isCentred =
      ruled.length > 0 &&
      Math.abs(findMiddle(columns, ruled[0]!, ruled.at(-1)!) - cell.x - cell.width / 2) <
        0.15 * measureSpan(columns, ruled[0]!, ruled.at(-1)!);
    if (isCentred && ruled[0]! <= own[0]! && ruled.at(-1)! >= own.at(-1)!)
      return { column: ruled[0]!, count: ruled.length };
    return findCentredSpan(cell, own, columns, least, most);
  });
}

function findRuledColumns(
  cell: Segment,
  line: PdfLine,
  columns: readonly PdfColumn[],
  rules: readonly Rule[],
): number[] {
  const under = rules
    .filter(
      (rule) =>
        rule.direction === 'horizontal' && rule.y >= line.baseline - 1 && rule.y <= line.baseline + 0.9 * line.size,
    )
    .toSorted((one, other) => one.x - other.x);
  const stretches: PdfColumn[] = [];
  for (const rule of under) {
    const last = stretches.at(-1);
    if (last && rule.x - last.end <= 1.5) last.end = Math.max(last.end, right(rule));
    else stretches.push({ start: rule.x, end: right(rule) });
  }
  const middle = cell.x + cell.width / 2;
  const rule = stretches.find((stretch) => stretch.start - 1 <= middle && stretch.end + 1 >= middle);
  if (!rule) return [];
  return columns.flatMap((column, index) =>
    overlap(column.start, column.end, rule.start, rule.end) > 0.5 * (column.end - column.start) ? [index] : [],
  );
}

function findCentredSpan(
  cell: Segment,
  own: readonly number[],
  columns: readonly PdfColumn[],
  least: number,
  most: number,
): { column: number; count: number } {
  const single = { column: own[0]!, count: own.length };
  if (own.length === 1 && isFlush(cell, columns[own[0]!]!)) return single;
  const middle = cell.x + cell.width / 2;
  const off = Math.abs(findMiddle(columns, own[0]!, own.at(-1)!) - middle);
  const room = own.length > 1 ? 3 : Math.max(8, 0.3 * measureSpan(columns, own[0]!, own[0]!));
  if (off < room && !heads.test(cell.text)) return single;
  const candidates: { column: number; count: number; distance: number }[] = [];
  for (let start = least; start <= own[0]!; start += 1) {
    for (let end = own.at(-1)!; end <= most; end += 1)
      candidates.push({
        column: start,
        count: end - start + 1,
        distance: Math.abs(findMiddle(columns, start, end) - middle),
      });
  }
  const nearest = Math.min(...candidates.map((candidate) => candidate.distance));
  const best = candidates
    .filter((candidate) => candidate.distance <= nearest + 3)
    .toSorted((one, other) => other.count - one.count)[0];
  return best ? { column: best.column, count: best.count } : single;
}

/** Flush with its own column, as the heading of a column of numbers is. */
function isFlush(cell: Segment, column: PdfColumn): boolean {
  return Math.abs(right(cell) - column.end) < 2.5 || Math.abs(cell.x - column.start) < 2.5;
}

function findMiddle(columns: readonly PdfColumn[], start: number, end: number): number {
  return (columns[start]!.start + columns[end]!.end) / 2;
}

function measureSpan(columns: readonly PdfColumn[], start: number, end: number): number {
  return columns[end]!.end - columns[start]!.start;
}

/** In points: how far a heading may stand off the edge of its column; less where its place is only reckoned. */
const flush = 3.5;

const reckonedFlush = 1.5;

/** Wider than the space between two words: in sizes of the font. */
const wordGap = 0.45;

/** Cuts headings that stand as near as words where their columns part, unless those are named below one by one. */
export function cutHeadings(row: PdfRow, columns: readonly PdfColumn[], below: readonly PdfRow[]): PdfRow {
  const cells = row.cells.flatMap((cell) => {
    const touched = columns.slice(1).filter((column) => overlap(cell.x, right(cell), column.start, column.end) > 0);
    const isNamedBelow = below.some(
      (later) => later.cells.filter((one) => overlap(cell.x, right(cell), one.x, right(one)) > 0).length > 1,
    );
    if (touched.length < 2 || cell.x < columns[0]!.end) return [cell];
    const words = cell.runs.flatMap(splitRunWords);
    const pieces =
      cutAtEdges(words, touched, right, ({ end }) => end) ??
      cutAtEdges(
        words.toReversed(),
        touched.toReversed(),
        ({ x }) => x,
        ({ start }) => start,
      )?.toReversed();
    const standApart = pieces
      ?.slice(1)
      .every((piece, index) => piece.x - right(pieces[index]!) > wordGap * piece.runs[0]!.size);
    return pieces && (standApart || !isNamedBelow) ? pieces : [cell];
  });
  return { ...row, cells };
}

/** The words over each column, the last of which ends where the column does; null where they do not line up so. */
function cutAtEdges(
  words: readonly Word[],
  columns: readonly PdfColumn[],
  edgeOf: (area: Area) => number,
  edge: (column: PdfColumn) => number,
): Segment[] | null {
  const pieces: Segment[] = [];
  let from = 0;
  for (const column of columns) {
    const to = words.findIndex(
      (word, index) => index >= from && Math.abs(edgeOf(word) - edge(column)) <= (word.isWhole ? flush : reckonedFlush),
    );
    if (to < 0) return null;
    pieces.push(joinRuns(words.slice(from, to + 1).toSorted((one, other) => one.x - other.x)));
    from = to + 1;
  }
  const isBroken = pieces.some(({ text }) => /^[^(]*\)|\([^()]*$/u.test(text));
  return from === words.length && !isBroken ? pieces : null;
}

interface Word extends GlyphRun {
  /** The file says where it stands, and not only its letters. */
  isWhole: boolean;
}

/** The words of a run, and where they stand as far as their letters tell. */
export function splitRunWords(run: GlyphRun): Word[] {
  const unit = run.width / estimateWidth(run.text);
  const words = [...run.text.matchAll(/\S+/gu)];
  return words.map(({ 0: text, index }) => ({
    ...run,
    text,
    x: run.x + estimateWidth(run.text.slice(0, index)) * unit,
    width: estimateWidth(text) * unit,
    spaced: index > 0 || run.spaced,
    isWhole: words.length === 1,
  }));
}

/** How wide letters are beside one another in most fonts. */
function estimateWidth(text: string): number {
  return Array.from(text).reduce(
    (sum, letter) =>
      sum +
      (/[\siljtfrI.,:;'|!()[\]-]/u.test(letter)
        ? 0.55
        : /[mwMW%@&—]/u.test(letter)
          ? 1.5
          : /\p{Lu}/u.test(letter)
            ? 1.25
            : 1),
    0,
  );
}
