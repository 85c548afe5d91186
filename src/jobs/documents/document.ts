/** A rectangle on a page, in points from its upper left corner. */
export interface Box {
  /** From 1. */
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export type DocumentKind = 'pdf' | 'xlsx' | 'csv' | 'json' | 'docx' | 'html' | 'markdown' | 'text' | 'image';

/** A cell of a table. Its text stands in the document's text from `start` to `end`. */
export interface Cell {
  /** From 0, within the table. */
  row: number;
  column: number;
  text: string;
  start: number;
  end: number;
  /** The raw number behind the text, where the file has one (a spreadsheet's value). */
  value?: number;
  /** How many rows and columns a merged cell covers. */
  span?: { rows: number; columns: number };
  /** `B3` in a spreadsheet. */
  address?: string;
  boxes?: readonly Box[];
}

/** Rows of cells; a place that a merged cell covers holds nothing. */
export interface Table {
  cells: readonly Cell[];
  rows: number;
  columns: number;
  /** So many rows at the top, and columns at the left, are headers. */
  headerRows: number;
  headerColumns: number;
  /** What stands above it: a title, "in millions". */
  caption?: string;
}

/** A sentence of a block, or a row of a table told as one. */
export interface Sentence {
  /** In the document's text: of a row, from its first cell to its last. */
  start: number;
  end: number;
  /** Of a row: the sentence it was turned into ("In Q3, the APAC region recorded a growth of 15 %."). */
  narrative?: string;
  /** Of a row: which row of the table. */
  row?: number;
  boxes?: readonly Box[];
}

export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table';

/** A part of a document that belongs together. */
export interface Block {
  /** `b12`: its number in reading order. */
  id: string;
  kind: BlockKind;
  /** Where it stands in the document's text. */
  start: number;
  end: number;
  /** The headings it stands under, the outermost first. */
  section: readonly string[];
  /** Of a heading: 1 for the outermost. */
  level?: number;
  page?: number;
  boxes?: readonly Box[];
  sheet?: string;
  table?: Table;
  sentences: readonly Sentence[];
  /** Its number in the file, where the file counts its parts itself. */
  sourceIndex?: number;
  /** Read off an image: its letters may be wrong. */
  ocr?: true;
}

/** A file as Agon reads it, whatever its format: one text, and blocks that point into it. */
export interface ReportDocument {
  /** `report.pdf`: the name, never a path. */
  name: string;
  kind: DocumentKind;
  /** `sha256:…` of the bytes. */
  hash: string;
  text: string;
  blocks: readonly Block[];
  /** Of a PDF or an image. */
  pages?: readonly { number: number; width: number; height: number; ocr?: true }[];
  /**
   * What a reader should know: pages read by OCR, hidden sheets, links that were not followed, macros that were not
   * run.
   */
  notes: readonly string[];
}

/** Several files that are judged together. */
export interface Dossier {
  documents: readonly ReportDocument[];
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
