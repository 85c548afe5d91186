import type { TextItem } from 'pdfjs-dist/types/src/display/api.js';
import { bottom, right, type Area } from './geometry.ts';

/** Text in one font that stands together on a line. */
export interface GlyphRun extends Area {
  text: string;
  baseline: number;
  size: number;
  bold: boolean;
  italic: boolean;
  /** The file sets a space before it, however narrow. */
  spaced: boolean;
}

type Matrix = readonly number[];
export type QuarterTurn = 0 | 90 | 180 | 270;

export interface Typeface {
  bold: boolean;
  italic: boolean;
}

export interface TextStyles {
  [font: string]: { ascent: number; descent: number; vertical: boolean };
}

export interface PageText {
  /** Upright in the direction of reading, which is the page turned by `turned`. */
  runs: GlyphRun[];
  /** Text that runs another way than the page: along an axis, across as a watermark. Boxes as on the page. */
  aside: GlyphRun[];
  turned: QuarterTurn;
}

/** Letters that only draw a line. */
const drawnLine = /^\s*(?:[_=]{3,}|[-–—.…]{4,})\s*$/u;
/** Text that a run of this size would be too faint to read; such text is set for machines. */
const smallestSize = 1;

/** The text of a page as runs, in page coordinates (rotation and crop box applied by the viewport's matrix). */
export function readRuns(
  items: readonly TextItem[],
  styles: TextStyles,
  viewport: { transform: Matrix; width: number; height: number },
  typeface: (font: string) => Typeface,
): PageText {
  const letters = new Map<QuarterTurn, number>();
  const found: { run: GlyphRun; quarter: QuarterTurn | null }[] = [];
  const seen = new Set<string>();
  let spaced = false;
  for (const item of items) {
    const text = cleanText(item.str);
    if (text.trim() === '' || drawnLine.test(text)) {
      spaced ||= text !== '' || item.hasEOL;
      continue;
    }
    const [a, b, c, d, e, f] = multiplyMatrices(viewport.transform, item.transform);
    const size = Math.hypot(c!, d!);
    const angle = (Math.round((Math.atan2(b!, a!) * 180) / Math.PI) + 360) % 360;
    const style = styles[item.fontName];
    const quarter = findQuarter(angle);
    const run = placeRun(text.trim(), { x: e!, y: f! }, angle, item.width, size, style);
    Object.assign(run, typeface(item.fontName));
    run.spaced = spaced || text.startsWith(' ');
    spaced = text.endsWith(' ') || item.hasEOL;
    // Bold letters are at times faked by setting the same text twice.
    const key = `${text}|${Math.round(run.x)}|${Math.round(run.y)}`;
    if (size < smallestSize || isOutside(run, viewport) || seen.has(key)) continue;
    seen.add(key);
    found.push({ run, quarter });
    if (quarter !== null) letters.set(quarter, (letters.get(quarter) ?? 0) + text.length);
  }
  const turned = [...letters].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? 0;
  const upright = found.filter((one) => one.quarter === turned).map((one) => one.run);
  return {
    runs: turned === 0 ? upright : upright.map((run) => turnArea(run, turned, viewport)),
    aside: found.filter((one) => one.quarter !== turned).map((one) => one.run),
    turned,
  };
}

/** An area of the page in coordinates in which text that was turned by `quarter` is upright. */
export function turnArea<T extends Area>(
  area: T,
  quarter: QuarterTurn,
  page: { width: number; height: number },
): T & { baseline: number } {
  const { x, y, width, height } = area;
  const turned: Area =
    quarter === 90
      ? { x: y, y: page.width - x - width, width: height, height: width }
      : quarter === 270
        ? { x: page.height - y - height, y: x, width: height, height: width }
        : quarter === 180
          ? { x: page.width - x - width, y: page.height - y - height, width, height }
          : { x, y, width, height };
  return { ...area, ...turned, baseline: turned.y + turned.height * 0.8 };
}

/** The way back from `turn`. */
export function turnAreaBack(area: Area, quarter: QuarterTurn, page: { width: number; height: number }): Area {
  const { x, y, width, height } = area;
  if (quarter === 90) return { x: page.width - y - height, y: x, width: height, height: width };
  if (quarter === 270) return { x: y, y: page.height - x - width, width: height, height: width };
  if (quarter === 180) return { x: page.width - x - width, y: page.height - y - height, width, height };
  return { x, y, width, height };
}

function placeRun(
  text: string,
  origin: { x: number; y: number },
  angle: number,
  length: number,
  size: number,
  style: TextStyles[string] | undefined,
): GlyphRun {
  const ascent = (style && style.ascent > 0 && style.ascent <= 1.5 ? style.ascent : 0.85) * size;
  const descent = (style && style.descent < 0 && style.descent >= -1 ? -style.descent : 0.2) * size;
  const common = { text, size, baseline: origin.y, bold: false, italic: false, spaced: false };
  if (angle === 0) return { ...common, x: origin.x, y: origin.y - ascent, width: length, height: ascent + descent };
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const corners = [
    [0, -ascent],
    [length, -ascent],
    [length, descent],
    [0, descent],
  ].map(([along, down]) => ({ x: origin.x + along! * cos - down! * sin, y: origin.y + along! * sin + down! * cos }));
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { ...common, x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function findQuarter(angle: number): QuarterTurn | null {
  for (const quarter of [0, 90, 180, 270] as const)
    if (Math.abs(((angle - quarter + 540) % 360) - 180) <= 3) return quarter;
  return null;
}

function isOutside(area: Area, page: { width: number; height: number }): boolean {
  const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
  return (
    middle.x < 0 ||
    middle.x > page.width ||
    middle.y < 0 ||
    middle.y > page.height ||
    right(area) <= 0 ||
    bottom(area) <= 0
  );
}

const ligatures: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' };

/** Ligatures as letters, every kind of space as one space, no control characters. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[ﬀ-ﬆ]/g, (ligature) => ligatures[ligature]!)
    .replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f\u200b\u2060\ufeff\ufffe\uffff]/g, '')
    .replaceAll(/\s+/g, ' ');
}

function multiplyMatrices(one: Matrix, other: Matrix): number[] {
  return [
    one[0]! * other[0]! + one[2]! * other[1]!,
    one[1]! * other[0]! + one[3]! * other[1]!,
    one[0]! * other[2]! + one[2]! * other[3]!,
    one[1]! * other[2]! + one[3]! * other[3]!,
    one[0]! * other[4]! + one[2]! * other[5]! + one[4]!,
    one[1]! * other[4]! + one[3]! * other[5]! + one[5]!,
  ];
}
