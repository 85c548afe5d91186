import { bottom, overlap, right, union, type Area } from './geometry.ts';
import type { GlyphRun } from './read-runs.ts';

/** Runs of a line with no wide gap between them: a whole line of prose, or a cell. */
export interface Segment extends Area {
  runs: readonly GlyphRun[];
  text: string;
}

export interface PdfLine extends Area {
  segments: readonly Segment[];
  text: string;
  baseline: number;
  /** Of most of its letters. */
  size: number;
  /** All of it. */
  bold: boolean;
  italic: boolean;
}

/** Wider than a space in justified prose, narrower than the gap between two columns: in sizes of the font. */
const columnGap = 0.95;
/** Between two numbers no justified space is expected. */
const numberGap = 0.55;
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Runs as segments: text on one baseline that no wide gap divides. */
export function buildSegments(runs: readonly GlyphRun[]): Segment[] {
  return groupRows(runs).flatMap((row) => cutRow(row));
}

/** Segments that share a baseline, as lines from top to bottom. */
export function buildLines(segments: readonly Segment[]): PdfLine[] {
  const rows = groupByBaseline(
    segments,
    (segment) => segment.runs[0]!.baseline,
    (segment) => Math.max(...segment.runs.map((run) => run.size)),
  );
  return rows
    .map((row) => joinSegments(row.toSorted((one, other) => one.x - other.x)))
    .toSorted((one, other) => one.baseline - other.baseline);
}

export function joinSegments(segments: readonly Segment[]): PdfLine {
  const runs = segments.flatMap((segment) => segment.runs);
  const main = runs.reduce((widest, run) => (run.text.length > widest.text.length ? run : widest));
  return {
    ...union(segments),
    segments,
    text: segments.map((segment) => segment.text).join(' '),
    baseline: main.baseline,
    size: main.size,
    bold: runs.every((run) => run.bold),
    italic: runs.every((run) => run.italic),
  };
}

export function joinRuns(runs: readonly GlyphRun[]): Segment {
  return { ...union(runs), runs, text: joinRunTexts(runs) };
}

/** The text of runs that stand side by side. */
export function joinRunTexts(runs: readonly GlyphRun[]): string {
  let text = '';
  for (const [index, run] of runs.entries())
    text += (index > 0 && hasGapBefore(runs[index - 1]!, run) ? ' ' : '') + run.text;
  return text;
}

/** Whether a space stands between two runs of a line. */
export function hasGapBefore(previous: GlyphRun, run: GlyphRun): boolean {
  const gap = (run.x - right(previous)) / Math.min(previous.size, run.size);
  // A font that changes before a full stop is no space, whatever the file says.
  if (/^[.,;:!?)\]%’”⁰¹²³⁴-⁹]/u.test(run.text)) return gap > 0.25;
  return run.spaced || gap > 0.15;
}

function groupRows(runs: readonly GlyphRun[]): GlyphRun[][] {
  const rows = groupByBaseline(
    runs,
    (run) => run.baseline,
    (run) => run.size,
  );
  return raiseMarks(rows).map((row) => row.toSorted((one, other) => one.x - other.x));
}

function groupByBaseline<T>(things: readonly T[], baseline: (thing: T) => number, size: (thing: T) => number): T[][] {
  const rows: { baseline: number; size: number; members: T[] }[] = [];
  for (const thing of things.toSorted((one, other) => baseline(one) - baseline(other))) {
    const last = rows.at(-1);
    if (last && baseline(thing) - last.baseline <= 0.22 * Math.min(last.size, size(thing))) last.members.push(thing);
    else rows.push({ baseline: baseline(thing), size: size(thing), members: [thing] });
  }
  return rows.map((row) => row.members);
}

/** Footnote marks and exponents stand above the baseline in a smaller font: they belong to the line they touch. */
function raiseMarks(rows: GlyphRun[][]): GlyphRun[][] {
  for (const [index, row] of rows.entries()) {
    for (const run of row.slice()) {
      if (run.text.length > 6) continue;
      const near = [rows[index - 1], rows[index + 1], rows[index + 2], rows[index - 2]];
      for (const host of near) {
        const neighbour = host?.find((one) => one.size * 0.85 > run.size && touchesMark(run, one));
        if (!host || !neighbour) continue;
        const raised = run.baseline < neighbour.baseline;
        row.splice(row.indexOf(run), 1);
        host.push({
          ...run,
          baseline: neighbour.baseline,
          spaced: run.spaced && !raised,
          text: raised ? run.text.replaceAll(/\d/g, (digit) => superscripts[Number(digit)]!) : run.text,
        });
        break;
      }
    }
  }
  return rows.filter((row) => row.length > 0);
}

function touchesMark(mark: GlyphRun, run: GlyphRun): boolean {
  const side = Math.max(mark.x - right(run), run.x - right(mark));
  return (
    side < 0.5 * run.size &&
    side > -1.5 * mark.size &&
    overlap(mark.y, bottom(mark), run.y, bottom(run)) > 0.6 * mark.height
  );
}

function cutRow(row: readonly GlyphRun[]): Segment[] {
  const segments: Segment[] = [];
  let runs: GlyphRun[] = [];
  for (const run of row) {
    const previous = runs.at(-1);
    if (previous) {
      const gap = run.x - right(previous);
      const size = Math.max(previous.size, run.size);
      const numbers = /^(?:[\d($€£¥]|[—–]$)/.test(run.text) && /^[($€£¥]*(?:[\d,.]+[)%]*|[—–])$/.test(previous.text);
      if (
        gap > (numbers ? numberGap : columnGap) * size ||
        (numbers && /^[$€£¥]$/.test(run.text) && gap > 0.1 * size)
      ) {
        segments.push(joinRuns(runs));
        runs = [];
      }
    }
    runs.push(run);
  }
  if (runs.length > 0) segments.push(joinRuns(runs));
  return joinJustifiedWords(segments);
}

/** Words of a justified line stand at equal gaps, however wide; cells that line up have equal edges instead. */
function joinJustifiedWords(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (let start = 0, end = 0; start < segments.length; start = end) {
    const gap = measureGapAfter(segments, start);
    end = start + 1;
    while (end < segments.length && Math.abs(measureGapAfter(segments, end - 1) - gap) < 0.05 * segments[start]!.height)
      end += 1;
    const words = segments.slice(start, end);
    if (isJustified(words)) joined.push(joinRuns(words.flatMap((word) => word.runs)));
    else {
      joined.push(words[0]!);
      end = start + 1;
    }
  }
  return joined;
}

function measureGapAfter(segments: readonly Segment[], index: number): number {
  const next = segments[index + 1];
  return next ? next.x - right(segments[index]!) : Infinity;
}

function isJustified(words: readonly Segment[]): boolean {
  if (words.length < 3 || words.some((word) => word.runs.length > 1 || word.text.includes(' '))) return false;
  const differ = (some: readonly Segment[]): boolean =>
    Math.max(...some.map((word) => word.width)) - Math.min(...some.map((word) => word.width)) > words[0]!.height / 2;
  return (
    differ(words.slice(1)) &&
    differ(words.slice(0, -1)) &&
    words.filter((word) => /^\p{Ll}{2}/u.test(word.text)).length > words.length / 3
  );
}
