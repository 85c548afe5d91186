import { formatBlockId, type Block, type ReportDocument, type Dossier, listBlocks } from '../document.ts';
import type { Source } from '@agonhq/engine/evidence';
import type { FactorCaseFile } from '../case-file.ts';
import { formatExtractId } from '../grounding/source-name.ts';

/** A stretch of a document to be read at once: whole blocks where they fit. */
export interface Chunk {
  /** `report.pdf#b12`, all that it touches, in order. */
  blocks: readonly string[];
  /** In the document's text. */
  start: number;
  end: number;
  text: string;
}

interface Unit {
  block: Block;
  start: number;
  end: number;
}

/** The dossier in parts that the factor agent reads at once: whole when it is short, else chunk by chunk. */
export function openFactorCases(dossier: Dossier, chunkCharacters: number): FactorCaseFile[] {
  const chunks = dossier.documents.flatMap((document) => splitIntoChunks(document, chunkCharacters));
  const isShort = chunks.reduce((sum, { text }) => sum + text.length, 0) <= chunkCharacters;
  const parts = isShort && chunks.length > 0 ? [chunks] : chunks.map((chunk) => [chunk]);
  return parts.map((together) => ({
    dossier,
    sources: together.flatMap((chunk) => buildChunkSources(chunk, dossier)),
  }));
}

function buildChunkSources(chunk: Chunk, dossier: Dossier): Source[] {
  return chunk.blocks.map((id) => {
    const { document, block } = listBlocks(dossier).get(id)!;
    const start = Math.max(chunk.start, block.start);
    const end = Math.min(chunk.end, block.end);
    const isWhole = start === block.start && end === block.end;
    return { id: isWhole ? id : formatExtractId(id, { start, end }), text: document.text.slice(start, end) };
  });
}

/** Cuts a document into chunks that hold every letter: by sections where they fit, else paragraphs, else sentences. */
export function splitIntoChunks(document: ReportDocument, maxCharacters: number): Chunk[] {
  const most = Math.max(1, Math.floor(maxCharacters));
  const chunks: Chunk[] = [];
  let open: Unit[] = [];
  const close = (): void => {
    if (open.length > 0) chunks.push(buildChunk(document, open));
    open = [];
  };
  for (const section of groupSections(document.blocks)) {
    const whole = section.at(-1)!.end - section[0]!.start;
    const fitsWithOpen = open.length > 0 && section.at(-1)!.end - open[0]!.start <= most;
    if (!fitsWithOpen) close();
    const units =
      whole <= most ? section.map(wholeUnit) : section.flatMap((block) => splitIntoUnits(document, block, most));
    for (const unit of units) {
      if (open.length > 0 && unit.end - open[0]!.start > most) close();
      open.push(unit);
    }
  }
  close();
  return chunks;
}

/** A heading with what follows it up to the next heading. */
function groupSections(blocks: readonly Block[]): Block[][] {
  const sections: Block[][] = [];
  for (const block of blocks) {
    const last = sections.at(-1);
    const startsSection = block.kind === 'heading' && last?.at(-1)?.kind !== 'heading';
    if (last && !startsSection) last.push(block);
    else sections.push([block]);
  }
  return sections;
}

function wholeUnit(block: Block): Unit {
  return { block, start: block.start, end: block.end };
}

function splitIntoUnits(document: ReportDocument, block: Block, most: number): Unit[] {
  if (block.end - block.start <= most) return [wholeUnit(block)];
  return block.sentences.flatMap(({ start, end }) =>
    cutRange(document.text, start, end, most).map((piece) => ({ block, ...piece })),
  );
}

/** At white space where there is some; never between the halves of a character. */
function cutRange(text: string, start: number, end: number, most: number): { start: number; end: number }[] {
  const pieces: { start: number; end: number }[] = [];
  let from = start;
  while (end - from > most) {
    const space = text.lastIndexOf(' ', from + most);
    let to = space > from ? space : from + most;
    if (/[\uDC00-\uDFFF]/u.test(text.charAt(to)) && to - 1 > from) to -= 1;
    pieces.push({ start: from, end: to });
    from = text.charAt(to) === ' ' ? to + 1 : to;
  }
  if (end > from) pieces.push({ start: from, end });
  return pieces;
}

function buildChunk(document: ReportDocument, units: readonly Unit[]): Chunk {
  const [start, end] = [units[0]!.start, units.at(-1)!.end];
  return {
    blocks: [...new Set(units.map(({ block }) => formatBlockId(document, block)))],
    start,
    end,
    text: document.text.slice(start, end),
  };
}
