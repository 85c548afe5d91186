import type { Box } from '../document.ts';
import type { Area } from '../ingest/pdf/geometry.ts';

/** A page in its own coordinates: what of it is shown, and how it is turned. */
export interface PageFrame extends Area {
  /** Clockwise: 0, 90, 180 or 270. */
  turned: number;
}

/** Where a box on the page as it is shown, counted from its upper left corner, lies in the page's own coordinates. */
export function toPageCoordinates({ x, y, width, height }: Omit<Box, 'page'>, frame: PageFrame): Area {
  if (frame.turned === 90) return { x: frame.x + y, y: frame.y + x, width: height, height: width };
  if (frame.turned === 180) return { x: frame.x + frame.width - x - width, y: frame.y + y, width, height };
  if (frame.turned === 270)
    return {
      x: frame.x + frame.width - y - height,
      y: frame.y + frame.height - x - width,
      width: height,
      height: width,
    };
  return { x: frame.x + x, y: frame.y + frame.height - y - height, width, height };
}

export interface PlacedNote<Note> {
  note: Note;
  /** From the top. */
  y: number;
}

/** Notes beside what they are about, none over another; what finds no room on the page is left over. */
export function placeNotes<Note extends { x: number; y: number; height: number }>(
  notes: readonly Note[],
  { top, bottom, gap }: { top: number; bottom: number; gap: number },
): { placed: PlacedNote<Note>[]; left: Note[] } {
  // On the same line from left to right.
  const sorted = notes.toSorted((a, b) => (Math.abs(a.y - b.y) < 3 ? a.x - b.x : a.y - b.y));
  const fits: Note[] = [];
  const left: Note[] = [];
  let used = 0;
  for (const note of sorted) {
    if (used + note.height + gap > bottom - top) left.push(note);
    else {
      fits.push(note);
      used += note.height + gap;
    }
  }
  const placed: PlacedNote<Note>[] = [];
  let next = top;
  let rest = used;
  for (const note of fits) {
    // Not so low that those after it no longer fit.
    const y = Math.min(Math.max(next, note.y), bottom - rest);
    placed.push({ note, y });
    next = y + note.height + gap;
    rest -= note.height + gap;
  }
  return { placed, left };
}
