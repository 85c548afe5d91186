import { formatBlockId, type Block, type Dossier, type ReportDocument, type Sentence } from './document.ts';

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
  return block.sentences.filter((sentence) => overlaps(sentence, range));
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
