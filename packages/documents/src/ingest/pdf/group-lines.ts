import { isListMarker } from './split-cells.ts';
import { upperMedian } from '@agonhq/engine/statistics';
import { right, union } from './geometry.ts';
import { type PdfLine, hasGapBefore } from './build-lines.ts';
import type { Box } from '../../document.ts';
import type { RawPart } from '../raw.ts';
import type { GlyphRun } from './read-runs.ts';
import { pattern } from '@agonhq/engine/text';

/** Lines that belong together, and as what. */
export interface LineGroup {
  kind: 'heading' | 'paragraph' | 'list-item';
  lines: PdfLine[];
}

const marker =
  /^(?:[•●▪■◦○‣·➢✓]\s*|[–—*-]\s+|\((?:\d{1,2}|[a-zA-Z]|[ivx]{1,5})\)\s+|(?:\d{1,2}|[a-zA-Z])[.)]\s+)(?=\S)/u;

const bullet = /^(?:[•●▪■◦○‣·➢✓]\s*|[–—*-]\s+)/u;
const sentenceEnd = /[.!?:;。！？]["')\]”’]?$/u;

const numbered = pattern('iu')`
  ^(?:(?:item|part|note|section|chapter|article|appendix|exhibit)\s+[\dIVXA-Z]+[A-Z]?\b
  |\d{1,2}(?:\.\d{1,2})+\.?\s+\p{Lu}|[IVX]{1,4}\.\s+\p{Lu})`;

/** "(in millions)" under a title is a line of its own. */
const unitLine = /^\((?:in |dollars|amounts|unaudited|\$|€|£|tabular)[^)]*\)$/iu;

/** Lines of a region as headings, paragraphs and the items of lists. */
export function groupLines(lines: readonly PdfLine[], bodySize: number): LineGroup[] {
  if (lines.length === 0) return [];
  // A page number far to the right does not make the lines of prose short ones.
  const prose = lines.filter((line) => line.text.split(' ').length > 3);
  const region = union(prose.length > 0 ? prose : lines);
  const steps = lines
    .slice(1)
    .map((line, index) => (line.baseline - lines[index]!.baseline) / line.size)
    .filter((step) => step > 0.8 && step < 2.2);
  const usual = upperMedian(steps) ?? 1.2;
  const groups: LineGroup[] = [];
  for (const [index, line] of lines.entries()) {
    const open = groups.at(-1);
    const above = lines[index - 1];
    if (open && above && continues(open, above, line, region, usual)) open.lines.push(line);
    else groups.push({ kind: startsItem(line) ? 'list-item' : 'paragraph', lines: [line] });
  }
  for (const group of groups)
    if (group.kind === 'paragraph' && isHeading(group.lines, bodySize)) group.kind = 'heading';
  return groups;
}

/** Whether an item's text carries a bullet that says nothing, and how many letters it takes. */
export function measureBullet(text: string): number {
  return bullet.exec(text)?.[0].length ?? 0;
}

function startsItem(line: PdfLine): boolean {
  return marker.test(line.text) || (line.segments.length > 1 && isListMarker(line.segments[0]!.text));
}

function continues(
  group: LineGroup,
  above: PdfLine,
  line: PdfLine,
  region: { x: number; width: number },
  usual: number,
): boolean {
  const step = (line.baseline - above.baseline) / Math.max(line.size, above.size);
  if (step > Math.max(usual * 1.25, 1.3) || step < 0.3) return false;
  if (Math.max(line.size, above.size) > 1.12 * Math.min(line.size, above.size)) return false;
  if (startsItem(line) || unitLine.test(line.text)) return false;
  if (
    line.italic !== above.italic &&
    above.italic &&
    group.lines.length === 1 &&
    right(above) < region.x + 0.5 * region.width
  )
    return false;
  if (
    line.bold !== above.bold &&
    (above.bold
      ? group.lines.every((one) => one.bold) && !above.text.endsWith(',')
      : sentenceEnd.test(above.text) || startsAnew(above, line, region))
  )
    return false;
  if (group.kind === 'list-item')
    return line.x >= group.lines[0]!.x - 1 && !(line.x < group.lines.at(-1)!.x - 2 && group.lines.length > 1);
  return !startsAnew(above, line, region);
}

/** A new paragraph without more space above it: the last line ended early, or this one is indented. */
function startsAnew(above: PdfLine, line: PdfLine, region: { x: number; width: number }): boolean {
  const endsEarly = right(above) < region.x + 0.82 * region.width;
  const isIndented = line.x > above.x + line.size && above.x < region.x + 3 * line.size;
  if (sentenceEnd.test(above.text) && (endsEarly || isIndented) && /^[\p{Lu}\p{N}"“(]/u.test(line.text)) return true;
  const isCentred = Math.abs(findCentre(above) - findCentre(line)) < 2 && Math.abs(above.x - line.x) > line.size;
  return (
    endsEarly &&
    right(above) < region.x + 0.6 * region.width &&
    /^\p{Lu}/u.test(line.text) &&
    !isCentred &&
    !/[,(\-–]$/.test(above.text)
  );
}

function findCentre(line: PdfLine): number {
  return line.x + line.width / 2;
}

function isHeading(lines: readonly PdfLine[], bodySize: number): boolean {
  const text = lines.map((line) => line.text).join(' ');
  const first = lines[0]!;
  const words = text.split(' ').length;
  if (lines.length > 3 || words > 25 || !/\p{L}{2}/u.test(text)) return false;
  if (/[,;]$/.test(text) || /^\p{Ll}/u.test(text) || /^\(.*\)$/.test(text)) return false;
  const isSentence = /[.!?]$/.test(text) && words > 6;
  if (first.size >= 1.15 * bodySize) return !isSentence || words <= 12;
  if (isSentence) return false;
  if (numbered.test(text) && words <= 14 && (lines.every((line) => line.bold) || isCapitals(text) || /^\d/.test(text)))
    return true;
  if (lines.every((line) => line.bold)) return words <= 16;
  if (lines.every((line) => line.italic))
    return words <= 8 && lines.length === 1 && /^[\p{Lu}\d]/u.test(text) && !/[.:]$/.test(text);
  return isCapitals(text) && words <= 12 && lines.length <= 2;
}

function isCapitals(text: string): boolean {
  const letters = text.replaceAll(/[^\p{L}]/gu, '');
  return letters.length >= 4 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
}

/** What sets a heading apart, to rank it among the others: the size first, then capitals, then weight. */
export function rankHeading(lines: readonly PdfLine[]): number {
  const line = lines[0]!;
  const text = lines.map((one) => one.text).join(' ');
  const isTitled = /^(?:part|item|chapter)\s+[\dIVX]/iu.test(text);
  return Math.round(line.size * 2) * 8 + (isTitled ? 4 : 0) + (isCapitals(text) ? 2 : 0) + (line.bold ? 1 : 0);
}

export type Boxed = (area: { x: number; y: number; width: number; height: number }) => Box;

export interface PlacedText {
  text: string;
  lineBoxes: NonNullable<RawPart['lineBoxes']>[number][];
}

/** The whole words of a document, which tell whether a hyphen at the end of a line belongs to its word. */
export function listVocabulary(lines: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const line of lines) {
    const whole = line.replace(/^\S+|(?<!\S)\S+[-\u00ad‐]$/gu, '');
    for (const [word] of whole.matchAll(/\p{L}+(?:-\p{L}+)*/gu)) words.add(word.toLowerCase());
  }
  return words;
}

/** Lines as one text: hyphens that only break a word are taken out, boxes stay where the letters are. */
export function flowText(
  lines: readonly { line: Pick<PdfLine, 'segments'>; box: Boxed }[],
  vocabulary: ReadonlySet<string>,
): PlacedText {
  const placed: PlacedText = { text: '', lineBoxes: [] };
  for (const [index, { line, box }] of lines.entries()) {
    const runs = line.segments.flatMap((segment) => segment.runs);
    if (index > 0) joinLine(placed, runs[0]!.text, vocabulary);
    for (const [at, run] of runs.entries()) {
      if (at > 0 && hasGapBefore(runs[at - 1]!, run)) placed.text += ' ';
      addRun(placed, run, box);
    }
  }
  return placed;
}

const longestWord = 40;

function joinLine(placed: PlacedText, next: string, vocabulary: ReadonlySet<string>): void {
  // Bounded: of the longest word.
  const broken = /(\p{L}[\p{L}-]*)[-\u00ad‐]$/u.exec(placed.text.slice(-longestWord));
  const follows = /^\p{Ll}+-?/u.exec(next)?.[0];
  if (!broken || !follows) {
    placed.text += /\S[-–—/]$/u.test(placed.text.slice(-2)) ? '' : ' ';
    return;
  }
  if (!placed.text.endsWith('\u00ad') && keepsHyphen(broken[1]!.toLowerCase(), follows, vocabulary)) return;
  placed.text = placed.text.slice(0, -1);
  const last = placed.lineBoxes.at(-1)!;
  if (last.end > placed.text.length)
    placed.lineBoxes[placed.lineBoxes.length - 1] = { ...last, end: placed.text.length };
}

function keepsHyphen(before: string, after: string, vocabulary: ReadonlySet<string>): boolean {
  if (before.includes('-') || after.endsWith('-')) return true;
  if (vocabulary.has(before + after)) return false;
  if (vocabulary.has(`${before}-${after}`)) return true;
  return vocabulary.has(before) && vocabulary.has(after) && after.length > 2;
}

/** Splits a run where sentences end, at the width its letters tell, so that each sentence gets its own box. */
function addRun(placed: PlacedText, run: GlyphRun, box: Boxed): void {
  const ends = [...run.text.matchAll(/[.!?:;。！？]["')\]”’]*\s/gu)].map((match) => match.index + match[0].length);
  const whole = ends.length > 0 ? estimateWidth(run.text) : 1;
  let from = 0;
  let x = run.x;
  for (const end of [...ends, run.text.length]) {
    if (end <= from) continue;
    const piece = run.text.slice(from, end);
    const width = ends.length > 0 ? (estimateWidth(piece) / whole) * run.width : run.width;
    const start = placed.text.length;
    placed.text += piece;
    placed.lineBoxes.push({ start, end: placed.text.length, box: box({ x, y: run.y, width, height: run.height }) });
    x += width;
    from = end;
  }
}

/** How wide letters are in most fonts, in halves of an em: enough to find a place within a run of known width. */
function estimateWidth(text: string): number {
  let width = 0;
  for (const letter of text)
    width += /[ilIjtfr.,;:'!|()[\] ]/.test(letter)
      ? 0.55
      : /[mwMW@%—]/.test(letter)
        ? 1.6
        : /[A-Z]/.test(letter)
          ? 1.3
          : letter > '\u2e7f'
            ? 2
            : 1;
  return width;
}
