import type { Source } from '../../../evidence/index.ts';
import type { FactorCaseFile } from '../case-file.ts';
import { splitIntoChunks, type Chunk } from './chunk-dossier.ts';
import type { Dossier } from '../document.ts';
import { formatExtractId } from '../grounding/source-name.ts';
import { listBlocks } from '../standing.ts';

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
