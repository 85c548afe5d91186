/* Where words stand on a page of a PDF: the reader of documents knows the lines of a sentence, the page knows its letters. */

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Text that stands together on a line, upright, in points from the upper left corner of its page. */
export interface PlacedText extends Area {
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
  near: readonly Area[],
  texts: readonly PlacedText[],
): Area[] | null {
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

function overlaps(area: Area, text: Area): boolean {
  const middle = text.y + text.height / 2;
  return (
    middle > area.y && middle < area.y + area.height && text.x < area.x + area.width && area.x < text.x + text.width
  );
}

function boxLetters(letters: readonly Letter[], items: readonly PlacedText[]): Area[] {
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
function joinLines(areas: readonly Area[]): Area[] {
  const lines: Area[] = [];
  for (const area of areas) {
    const last = lines.at(-1);
    const gap = last ? area.x - (last.x + last.width) : Infinity;
    if (last && Math.abs(last.y - area.y) < area.height / 2 && gap > -area.height && gap < area.height)
      lines[lines.length - 1] = unite(last, area);
    else lines.push(area);
  }
  return lines;
}

function unite(one: Area, other: Area): Area {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}
