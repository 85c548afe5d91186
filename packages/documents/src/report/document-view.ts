import { formatCount, formatPlural, type CitedPassage } from '@agonhq/engine/view';
import type { Block, ReportDocument, Box } from '../index.ts';
import { html, inline, highlight, code, type Markup, type TextMarking } from '@agonhq/engine/reports';
import { backLinks } from './citation-view.ts';
import { shownBlocks, type Gap, type Shown } from './shown-blocks.ts';
import { tableView } from './table-view.ts';
import { toneOf } from '../view.ts';

const marking: TextMarking = { tone: toneOf, reference: backLinks, named: true };

/** A document of the dossier, page by page or sheet by sheet, with what is cited from it marked. */
export interface DocumentView {
  document: ReportDocument;
  anchor: string;
  passages: readonly CitedPassage[];
  /** Blocks that the page refers to without citing a passage of them. */
  referred: ReadonlySet<Block>;
  long: boolean;
}

export function blockAnchor(document: DocumentView, index: number): string {
  return `${document.anchor}-block-${index + 1}`;
}

/** The blocks that are cited or referred to: they are shown whatever else is left out. */
export function citedBlocks({ document, passages, referred }: DocumentView): Set<Block> {
  return new Set(
    document.blocks.filter(
      (block) => referred.has(block) || passages.some(({ start, end }) => start < block.end && end > block.start),
    ),
  );
}

export function documentView(view: DocumentView): Markup {
  const { document, anchor, long } = view;
  const shown = shownBlocks(document, citedBlocks(view), long);
  return html`<article class="document" id="${anchor}">
    <header>
      <h3>${inline(document.name)}</h3>
      <p class="small">
        ${document.kind.toUpperCase()}${document.pages && html`, ${formatPlural(document.pages.length, 'page')}`},
        ${formatPlural(document.blocks.length, 'block')}, ${formatPlural(document.text.length, 'character')}<br />${code(
          document.hash,
        )}
      </p>
    </header>
    ${
      document.notes.length > 0 &&
      html`<ul class="notice">
        ${document.notes.map((note) => html`<li>${inline(note)}</li>`)}
      </ul>`
    }
    ${leaves(shown).map((leaf) => leafView(view, leaf))}
  </article>`;
}

/** Blocks of one page or sheet, or a gap. */
interface Leaf {
  page: number | undefined;
  sheet: string | undefined;
  parts: Shown[];
}

function leaves(shown: readonly Shown[]): Leaf[] {
  const made: Leaf[] = [];
  for (const part of shown) {
    const last = made.at(-1);
    const { page, sheet } = 'block' in part ? part.block : { page: last?.page, sheet: last?.sheet };
    if (last && last.page === page && last.sheet === sheet) last.parts.push(part);
    else made.push({ page, sheet, parts: [part] });
  }
  return made;
}

function leafView(view: DocumentView, { page, sheet, parts }: Leaf): Markup {
  const size = view.document.pages?.find(({ number }) => number === page);
  const blocks = parts.flatMap((part) => ('block' in part ? part.block : []));
  return html`<div class="leaf">
    ${
      (page !== undefined || sheet !== undefined) &&
      html`<p class="leaf-title">
        ${sheet !== undefined ? html`Sheet ${inline(sheet)}` : `Page ${page}`}${
          size?.ocr && html` <span class="badge material">read by OCR: letters may be wrong</span>`
        }
      </p>`
    }
    ${size && pageMap(size, blocks, view.passages)}${parts.map((part) =>
      'block' in part ? blockView(view, part.block, part.index, size?.ocr === true) : gapView(part.gap),
    )}
  </div>`;
}

function blockView(view: DocumentView, block: Block, index: number, ocrPage: boolean): Markup {
  const { document, long } = view;
  const passages = view.passages.filter(({ start, end }) => start < block.end && end > block.start);
  const ocr = block.ocr && !ocrPage && html`<span class="badge material">read by OCR</span> `;
  const anchor = blockAnchor(view, index);
  if (block.table)
    return html`<div class="block" id="${anchor}">${ocr}${tableView(document, block, passages, marking, long)}</div>`;
  const text = document.text.slice(block.start, block.end);
  const own = passages.map((passage) => ({
    ...passage,
    start: passage.start - block.start,
    end: passage.end - block.start,
  }));
  const content = html`${ocr}${highlight(text, own, marking)}`;
  return html`<div
    class="block ${block.kind === 'heading' ? `heading level-${Math.min(Math.max(block.level ?? 1, 1), 4)}` : ''}${block.ocr && ' ocr'}"
    id="${anchor}"
  >
    ${content}
  </div>`;
}

function gapView({ blocks, pages, sheets, headings, moreHeadings }: Gap): Markup {
  const where = pages
    ? pages[0] === pages[1]
      ? `page ${pages[0]}`
      : `pages ${pages[0]} to ${pages[1]}`
    : sheets.length > 0
      ? html`${sheets.slice(0, 5).map((sheet, index) => html`${index > 0 && ', '}sheet ${inline(sheet)}`)}`
      : '';
  return html`<div class="elision">
    <p>${formatPlural(blocks, 'block')} not shown${where && html`, ${where}`}: nothing is cited from there</p>
    ${
      headings.length > 0 &&
      html`<p>
        ${headings.map((heading, index) => html`${index > 0 && ' · '}${inline(heading.slice(0, 90))}`)}${
          moreHeadings > 0 && ` · and ${formatCount(moreHeadings)} more headings`
        }
      </p>`
    }
  </div>`;
}

interface Page {
  number: number;
  width: number;
  height: number;
}

/** A page in small: where its blocks lie, and where on it something is cited. */
function pageMap(page: Page, blocks: readonly Block[], passages: readonly CitedPassage[]): Markup | null {
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
