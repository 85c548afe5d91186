import type { Analysis } from './analysis-schema.ts';
import type { NumberFinding } from './numbers/index.ts';

/** A file as Agon reads it, whatever its format: one text, and blocks that point into it. */
export type ReportDocument = Analysis['documents'][number];
export type DocumentKind = ReportDocument['kind'];
/** A part of a document that belongs together. */
export type Block = ReportDocument['blocks'][number];
export type BlockKind = Block['kind'];
/** A sentence of a block, or a row of a table told as one. */
export type Sentence = Block['sentences'][number];
/** Rows of cells; a place that a merged cell covers holds nothing. */
export type Table = NonNullable<Block['table']>;
/** A cell of a table. Its text stands in the document's text from `start` to `end`. */
export type Cell = Table['cells'][number];
/** A rectangle on a page, in points from its upper left corner. */
export type Box = NonNullable<Block['boxes']>[number];

/** Several files that are judged together. */
export interface Dossier {
  documents: readonly ReportDocument[];
}

/** A dossier, with what the checks of its numbers found where it was read. */
export interface ReadDossier extends Dossier {
  numbers?: readonly NumberFinding[];
}

/** Where a block is in a dossier: `report.pdf#b12`. Sources of the debate have these ids. */
export function formatBlockId(document: ReportDocument, block: Block): string {
  return `${document.name}#${block.id}`;
}

/** A block with the document it stands in. */
export interface DossierBlock {
  id: string;
  document: ReportDocument;
  block: Block;
}

const indexes = new WeakMap<Dossier, Map<string, DossierBlock>>();

/** Every block of a dossier by its id, in reading order. */
export function listBlocks(dossier: Dossier): ReadonlyMap<string, DossierBlock> {
  let index = indexes.get(dossier);
  if (!index) {
    index = new Map(
      dossier.documents.flatMap((document) =>
        document.blocks.map((block): [string, DossierBlock] => [
          formatBlockId(document, block),
          { id: formatBlockId(document, block), document, block },
        ]),
      ),
    );
    indexes.set(dossier, index);
  }
  return index;
}

export function readBlockText({ document, block }: DossierBlock): string {
  return document.text.slice(block.start, block.end);
}

export function overlaps(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The sentences, or the rows of a table, that a range touches. */
export function findSentences({ block }: DossierBlock, range: { start: number; end: number }): Sentence[] {
  return findTouched(block.sentences, range);
}

/** Of stretches in order, none overlapping, those that a range touches: found by halves, since there may be many. */
export function findTouched<Stretch extends { start: number; end: number }>(
  stretches: readonly Stretch[],
  range: { start: number; end: number },
): Stretch[] {
  let [from, to] = [0, stretches.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (stretches[middle]!.end > range.start) to = middle;
    else from = middle + 1;
  }
  let end = from;
  while (end < stretches.length && stretches[end]!.start < range.end) end += 1;
  return stretches.slice(from, end);
}

/** Of a range: the whole sentences it touches; the range itself where there are none. */
export function widenToSentences(
  standing: DossierBlock,
  range: { start: number; end: number },
): { start: number; end: number } {
  const touched = findSentences(standing, range);
  return touched.length === 0
    ? range
    : { start: Math.min(range.start, touched[0]!.start), end: Math.max(range.end, touched.at(-1)!.end) };
}
