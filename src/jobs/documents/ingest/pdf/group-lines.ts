import { isListMarker } from './split-cells.ts';
import { upperMedian } from '../../../../statistics/index.ts';
import { right, union } from './geometry.ts';
import type { Line } from './build-lines.ts';

/** Lines that belong together, and as what. */
export interface LineGroup {
  kind: 'heading' | 'paragraph' | 'list-item';
  lines: Line[];
}

const marker =
  /^(?:[•●▪■◦○‣·➢✓]\s*|[–—*-]\s+|\((?:\d{1,2}|[a-zA-Z]|[ivx]{1,5})\)\s+|(?:\d{1,2}|[a-zA-Z])[.)]\s+)(?=\S)/u;
const bullet = /^(?:[•●▪■◦○‣·➢✓]\s*|[–—*-]\s+)/u;
const sentenceEnd = /[.!?:;。！？]["')\]”’]?$/u;
const numbered =
  /^(?:(?:item|part|note|section|chapter|article|appendix|exhibit)\s+[\dIVXA-Z]+[A-Z]?\b|\d{1,2}(?:\.\d{1,2})+\.?\s+\p{Lu}|[IVX]{1,4}\.\s+\p{Lu})/iu;

/** "(in millions)" under a title is a line of its own. */
const unitLine = /^\((?:in |dollars|amounts|unaudited|\$|€|£|tabular)[^)]*\)$/iu;

/** Lines of a region as headings, paragraphs and the items of lists. */
export function groupLines(lines: readonly Line[], bodySize: number): LineGroup[] {
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

function startsItem(line: Line): boolean {
  return marker.test(line.text) || (line.segments.length > 1 && isListMarker(line.segments[0]!.text));
}

function continues(
  group: LineGroup,
  above: Line,
  line: Line,
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
function startsAnew(above: Line, line: Line, region: { x: number; width: number }): boolean {
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

function findCentre(line: Line): number {
  return line.x + line.width / 2;
}

function isHeading(lines: readonly Line[], bodySize: number): boolean {
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
export function rankHeading(lines: readonly Line[]): number {
  const line = lines[0]!;
  const text = lines.map((one) => one.text).join(' ');
  const isTitled = /^(?:part|item|chapter)\s+[\dIVX]/iu.test(text);
  return Math.round(line.size * 2) * 8 + (isTitled ? 4 : 0) + (isCapitals(text) ? 2 : 0) + (line.bold ? 1 : 0);
}
