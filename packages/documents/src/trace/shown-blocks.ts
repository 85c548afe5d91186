import type { Block, ReportDocument } from '../document.ts';

/** A dossier longer than this is shown as what is cited, what stands around it, and an outline of the rest. */
const longDossier = 200_000;
const outlined = 8;

/** Blocks that are not shown: how many, where, and under which headings. */
export interface Gap {
  blocks: number;
  pages: readonly [first: number, last: number] | null;
  sheets: readonly string[];
  headings: readonly string[];
  /** Headings beyond those listed. */
  moreHeadings: number;
}

export type Shown = { block: Block; index: number } | { gap: Gap };

export function isLongDocument(documents: readonly ReportDocument[]): boolean {
  return documents.reduce((sum, { text }) => sum + text.length, 0) > longDossier;
}

/** The blocks to show: all of them, or of a long dossier the cited ones, their neighbours and their headings. */
export function shownBlocks({ blocks, text }: ReportDocument, cited: ReadonlySet<Block>, long: boolean): Shown[] {
  const kept = new Set<number>();
  const headings = new Map<string, number>();
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'heading') headings.set(text.slice(block.start, block.end), index);
    if (!long || index === 0) kept.add(index);
    if (!cited.has(block)) continue;
    const above = block.section.flatMap((heading) => headings.get(heading) ?? []);
    for (const near of [index - 1, index, index + 1, ...above]) if (blocks[near]) kept.add(near);
  }
  const shown: Shown[] = [];
  for (let index = 0; index < blocks.length;) {
    if (kept.has(index)) {
      shown.push({ block: blocks[index]!, index });
      index += 1;
      continue;
    }
    const start = index;
    while (index < blocks.length && !kept.has(index)) index += 1;
    shown.push({ gap: gapOf(blocks.slice(start, index), text) });
  }
  return shown;
}

function gapOf(blocks: readonly Block[], text: string): Gap {
  const pages = blocks.flatMap(({ page }) => page ?? []);
  const headings = blocks.filter(({ kind }) => kind === 'heading').map(({ start, end }) => text.slice(start, end));
  return {
    blocks: blocks.length,
    pages: pages.length > 0 ? [pages[0]!, pages.at(-1)!] : null,
    sheets: [...new Set(blocks.flatMap(({ sheet }) => sheet ?? []))],
    headings: headings.slice(0, outlined),
    moreHeadings: Math.max(0, headings.length - outlined),
  };
}

/** The rows of a table to show: all, or of a long one its head, its beginning and end, and those with a passage. */
export function shownRows(rows: number, headerRows: number, cited: ReadonlySet<number>, most: number): number[] {
  const all = Array.from({ length: rows }, (_, row) => row);
  if (rows <= most) return all;
  const nearCited = (row: number) => [row - 1, row, row + 1].some((near) => cited.has(near));
  return all.filter((row) => row < Math.min(headerRows + 5, most) || row >= rows - 2 || nearCited(row));
}
