import type { PageViewport } from 'pdfjs-dist';
import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.js';
import type { Grounding } from '../analysis-types.ts';

/*
 * Where words are on a page of a PDF: the reader of documents knows the lines of a sentence, the page knows its
 * letters.
 */

export interface PageArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Text that stands together on a line, upright, in points from the upper left corner of its page. */
export interface LocatedText extends PageArea {
  text: string;
  /** How wide the first letters of it are, against the whole of it. */
  share(letters: number): number;
}

export interface SoughtWords {
  /** What is sought, and what stands around it in the same sentence. */
  before: string;
  quote: string;
  after: string;
}

interface Letter {
  item: number;
  at: number;
}

/** The words, line by line; null where they are not found near these areas. */
export function locateWords(
  { before, quote, after }: SoughtWords,
  near: readonly PageArea[],
  texts: readonly LocatedText[],
): PageArea[] | null {
  const items = texts.filter((text) => near.some((area) => overlaps(area, text)));
  const letters: Letter[] = [];
  let line = '';
  for (const [item, { text }] of items.entries()) {
    for (const [at, letter] of Array.from(text).entries()) {
      const bare = stripSpacing(letter);
      line += bare;
      for (let each = 0; each < bare.length; each += 1) letters.push({ item, at });
    }
  }
  const [lead, words] = [stripSpacing(before), stripSpacing(quote)];
  if (words === '') return null;
  const sentence = line.indexOf(lead + words + stripSpacing(after));
  const start = sentence >= 0 ? sentence + lead.length : line.indexOf(words);
  if (start < 0) return null;
  return joinLines(boxLetters(letters.slice(start, start + words.length), items));
}

/** Without spaces, hyphens and ligatures: those are where a page and its text differ. */
function stripSpacing(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\s\u00ad‐‑-]/g, '');
}

function overlaps(area: PageArea, text: PageArea): boolean {
  const middle = text.y + text.height / 2;
  return (
    middle > area.y && middle < area.y + area.height && text.x < area.x + area.width && area.x < text.x + text.width
  );
}

function boxLetters(letters: readonly Letter[], items: readonly LocatedText[]): PageArea[] {
  const ranges = new Map<number, { from: number; to: number }>();
  for (const { item, at } of letters) {
    const range = ranges.get(item);
    if (!range) ranges.set(item, { from: at, to: at + 1 });
    else range.to = at + 1;
  }
  return [...ranges].map(([item, { from, to }]) => {
    const { x, y, width, height, share } = items[item]!;
    const [left, right] = [share(from), share(to)];
    return { x: x + width * left, y, width: width * (right - left), height };
  });
}

/** Pieces of one line that touch, or are a space apart, are one. */
function joinLines(areas: readonly PageArea[]): PageArea[] {
  const lines: PageArea[] = [];
  for (const area of areas) {
    const last = lines.at(-1);
    const gap = last ? area.x - (last.x + last.width) : Infinity;
    if (last && Math.abs(last.y - area.y) < area.height / 2 && gap > -area.height && gap < area.height)
      lines[lines.length - 1] = unite(last, area);
    else lines.push(area);
  }
  return lines;
}

function unite(one: PageArea, other: PageArea): PageArea {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

let drawing: CanvasRenderingContext2D | null = null;

/** How wide a text is in a font of a kind: enough to tell where a letter stands in a line of known width. */
function measureWidth(text: string, family: string): number {
  drawing ??= document.createElement('canvas').getContext('2d');
  if (!drawing) return text.length;
  drawing.font = `16px ${family}`;
  return drawing.measureText(text).width;
}

/** The upright texts of a page. `viewport` has the scale 1. */
export function placeTexts({ items, styles }: TextContent, viewport: PageViewport): LocatedText[] {
  return items.flatMap((item): LocatedText[] => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a, b, x, y, size] = toViewport(item, viewport);
    if (Math.abs(b) > Math.abs(a) * 0.05 || a < 0) return [];
    const style = styles[item.fontName];
    const ascent = (style && style.ascent > 0 && style.ascent <= 1.5 ? style.ascent : 0.85) * size;
    const descent = (style && style.descent < 0 && style.descent >= -1 ? -style.descent : 0.2) * size;
    const family = style?.fontFamily ?? 'sans-serif';
    const whole = measureWidth(item.str, family);
    const letters = Array.from(item.str);
    return [
      {
        text: item.str,
        x,
        y: y - ascent,
        width: item.width,
        height: ascent + descent,
        share: (count) =>
          whole > 0 ? measureWidth(letters.slice(0, count).join(''), family) / whole : count / letters.length,
      },
    ];
  });
}

function toViewport(
  { transform }: TextItem,
  viewport: PageViewport,
): [a: number, b: number, x: number, y: number, size: number] {
  const [va, vb, vc, vd, ve, vf] = viewport.transform;
  const [a, b, c, d, e, f] = transform as number[];
  const down = Math.hypot(va! * c! + vc! * d!, vb! * c! + vd! * d!);
  return [va! * a! + vc! * b!, vb! * a! + vd! * b!, va! * e! + vc! * f! + ve!, vb! * e! + vd! * f! + vf!, down];
}

/** A citation with the rest of the sentences that it touches. */
export function readContext({ document, block, start, end, quote }: Grounding): SoughtWords {
  const touched = block.sentences.filter((sentence) => sentence.start < end && sentence.end > start);
  const from = Math.min(start, ...touched.map((sentence) => sentence.start));
  const to = Math.max(end, ...touched.map((sentence) => sentence.end));
  return { before: document.text.slice(from, start), quote, after: document.text.slice(end, to) };
}
