import { blockId, type Block, type Dossier, type ReportDocument, type Sentence } from './document.ts';

/** A block with the document it stands in. */
export interface Standing {
  id: string;
  document: ReportDocument;
  block: Block;
}

const indexes = new WeakMap<Dossier, Map<string, Standing>>();

/** Every block of a dossier by its id, in reading order. */
export function blocksOf(dossier: Dossier): ReadonlyMap<string, Standing> {
  let index = indexes.get(dossier);
  if (!index) {
    index = new Map(
      dossier.documents.flatMap((document) =>
        document.blocks.map((block): [string, Standing] => [
          blockId(document, block),
          { id: blockId(document, block), document, block },
        ]),
      ),
    );
    indexes.set(dossier, index);
  }
  return index;
}

export function textOf({ document, block }: Standing): string {
  return document.text.slice(block.start, block.end);
}

export function touches(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The sentences, or the rows of a table, that a range touches. */
export function sentencesAt({ block }: Standing, range: { start: number; end: number }): Sentence[] {
  return block.sentences.filter((sentence) => touches(sentence, range));
}

/** Of a range: the whole sentences it touches; the range itself where there are none. */
export function widened(standing: Standing, range: { start: number; end: number }): { start: number; end: number } {
  const touched = sentencesAt(standing, range);
  return touched.length === 0
    ? range
    : { start: Math.min(range.start, touched[0]!.start), end: Math.max(range.end, touched.at(-1)!.end) };
}
