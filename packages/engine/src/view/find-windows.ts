import type { Range } from '../evidence/index.ts';

/** A text longer than this is shown in windows around what is quoted from it. */
const longText = 20_000;
const margin = 1_500;

/** The parts of a text to show: all of it, or windows around the ranges, or its beginning when there are none. */
export function findWindows(text: string, ranges: readonly Range[]): Range[] {
  if (text.length <= longText) return [{ start: 0, end: text.length }];
  const anchors = ranges.length > 0 ? ranges : [{ start: 0, end: margin }];
  const windows: Range[] = [];
  for (const { start, end } of anchors.toSorted((a, b) => a.start - b.start)) {
    const window = { start: wholeCharacter(text, start - margin), end: wholeCharacter(text, end + margin) };
    const last = windows.at(-1);
    if (last && window.start <= last.end) last.end = Math.max(last.end, window.end);
    else windows.push(window);
  }
  return windows;
}

function wholeCharacter(text: string, at: number): number {
  const place = Math.min(Math.max(at, 0), text.length);
  return place > 0 && place < text.length && text.codePointAt(place - 1)! > 0xffff ? place + 1 : place;
}
