import type { Block, Box } from '../index.ts';
import { html, type Markup } from '@agonhq/engine/reports';
import type { CitedPassage } from '@agonhq/engine/view';
import { toneOf } from '../view.ts';

interface Page {
  number: number;
  width: number;
  height: number;
}

/** A page in small: where its blocks lie, and where on it something is cited. */
export function pageMap(page: Page, blocks: readonly Block[], passages: readonly CitedPassage[]): Markup | null {
  const here = blocks.filter((block) => block.page === page.number);
  const marks = passages.flatMap((passage) => {
    const boxes = here.flatMap((block) => boxesAt(block, passage)).filter((box) => box.page === page.number);
    const tone = toneOf(new Set(passage.quoters.map(({ side }) => side)));
    return boxes.map((box) => rectangle(box, page, `cited ${tone}`));
  });
  if (marks.length === 0 || !(page.width > 0) || !(page.height > 0)) return null;
  return html`<svg
    class="page-map"
    viewBox="0 0 ${round(page.width)} ${round(page.height)}"
    role="img"
    aria-label="Where on page ${page.number} something is cited"
  >
    <rect class="sheet" width="${round(page.width)}" height="${round(page.height)}" />
    ${here.flatMap((block) =>
      (block.boxes ?? []).filter((box) => box.page === page.number).map((box) => rectangle(box, page, 'text')),
    )}${marks}
  </svg>`;
}

/** The boxes of what a passage touches: of cells in a table, of sentences elsewhere. */
function boxesAt(block: Block, { start, end }: CitedPassage): Box[] {
  const touched = (parts: readonly { start: number; end: number; boxes?: readonly Box[] }[]) =>
    parts.filter((part) => part.start < end && part.end > start).flatMap(({ boxes }) => boxes ?? []);
  const cells = touched(block.table?.cells ?? []);
  return cells.length > 0 ? cells : touched(block.sentences);
}

/* A line is drawn with a little air around it: in small, thin lines cannot be seen. */
function rectangle({ x, y, width, height }: Box, page: Page, style: string): Markup {
  const within = (value: number, most: number) => round(Math.min(Math.max(value, 0), most));
  return html`<rect
    class="${style}"
    x="${within(x, page.width)}"
    y="${within(y, page.height)}"
    width="${within(width, page.width)}"
    height="${within(height, page.height)}"
  />`;
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0;
}
