import { union, type Area, overlap, right } from './geometry.ts';
import { joinRuns, type PdfLine, type Segment, joinSegments } from './build-lines.ts';
import { pattern } from '@agonhq/engine/text';

/** One or more lines of text at a place of a table. */
export interface LaidCell {
  lines: Segment[];
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** A table as it stands on the page. */
export interface LaidTable extends Area {
  cells: LaidCell[];
  rows: number;
  columns: number;
  /** Where its columns begin and end, when drawn lines say so. */
  columnEdges?: { start: number; end: number }[];
}

const currency = /^(?:[A-Z]{2,3})?[$€£¥₹]$/u;

const amount = pattern('u')`
  ^[(\-–—−+]?\s?(?:(?:[A-Z]{2,3})?[$€£¥₹]\s?)?[(\-–—−+]?\s?\d[\d,.\s]*\)?\s?
  (?:%|x|bps|pts?|[kmbKMB]n?)?\s?\)?[*†‡⁰¹²³⁴-⁹]*$`;

const nothing = /^(?:(?:[A-Z]{2,3})?[$€£¥₹]\s?)?(?:[-–—−]+|n\/?[am]\.?|nm|NM|\*+(?!\*))\s?%?\)?[*†‡⁰¹²³⁴-⁹]*$/iu;
const closing = /^(?:\)|%|\)\s?%|%\s?\)|pts?\.?|bps|[*†‡⁰¹²³⁴-⁹]+|\(\d\)|\([a-z]\))$/u;
const marker = /^(?:[•●▪■◦○‣·–—*-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/u;
const leader = /(?<![\s.…_])[\s.…_]{4,}$/u;

/** A number, a sum of money, a share, or the dash that stands for none. */
export function isValue(text: string): boolean {
  return amount.test(text) || nothing.test(text);
}

export function isNumberText(text: string): boolean {
  return amount.test(text);
}

export function isListMarker(text: string): boolean {
  return marker.test(text);
}

/** The cells of a line: a currency sign, bracket or per cent sign set apart joins its number, a bullet its text. */
export function splitCells(line: PdfLine): Segment[] {
  const cells: Segment[] = [];
  let opened: Segment | null = null;
  for (const [index, segment] of line.segments.entries()) {
    const last = cells.at(-1);
    if (/^[.…_\s]+$/u.test(segment.text) && segment.text.length > 2) continue;
    if (opened) {
      cells.push(isValue(segment.text) || /^\(?\d/.test(segment.text) ? joinSegmentPair(opened, segment) : opened);
      if (cells.at(-1) === opened) cells.push(segment);
      opened = null;
    } else if (
      (currency.test(segment.text) || /^(?:[$€£¥]\s?)?\($/u.test(segment.text)) &&
      index < line.segments.length - 1
    )
      opened = segment;
    else if (
      last &&
      closing.test(segment.text) &&
      isNumberText(last.text) &&
      segment.x - last.x - last.width < 2.5 * line.size
    )
      cells[cells.length - 1] = joinSegmentPair(last, segment);
    else if (last && cells.length === 1 && isListMarker(last.text) && !isValue(segment.text))
      cells[0] = joinSegmentPair(last, segment);
    else cells.push(segment);
  }
  return cells.map(dropLeader);
}

function joinSegmentPair(one: Segment, other: Segment): Segment {
  return joinRuns([...one.runs, ...other.runs]);
}

/** "Item 1 ........ 3": the dots only lead the eye. */
function dropLeader(cell: Segment): Segment {
  const text = cell.text.replace(leader, '');
  return text === cell.text || text === '' ? cell : { ...cell, text };
}

export function boundCells(cells: readonly LaidCell[]): Area {
  return union(cells.flatMap((cell) => cell.lines));
}

/** Nearer than half a line, in sizes of the font, letters would stand on each other. */
const tooNear = 0.5;

const mark = /^(?:[$€£¥₹()%*†‡]+|(?:\(\w{1,2}\)\s?)+)$/u;

/** Numbers and marks set a little off beside their label are on its line. */
export function joinLevelLines(lines: readonly PdfLine[]): PdfLine[] {
  const level: PdfLine[] = [];
  let top = -Infinity;
  for (const line of lines) {
    const above = level.at(-1);
    const isNear = above && line.baseline - top < tooNear * Math.min(line.size, above.size);
    if (isNear && (isAside(above) || isAside(line)) && standApart(above, line)) {
      level[level.length - 1] = joinSegments(
        [...above.segments, ...line.segments].toSorted((one, other) => one.x - other.x),
      );
    } else {
      level.push(line);
      top = line.baseline;
    }
  }
  return level;
}

function isAside({ segments }: PdfLine): boolean {
  return segments.every(({ text }) => isValue(text) || mark.test(text));
}

function standApart(above: PdfLine, line: PdfLine): boolean {
  return line.segments.every((one) =>
    above.segments.every((other) => overlap(one.x, right(one), other.x, right(other)) <= 0),
  );
}
