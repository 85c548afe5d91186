import type { Block, Grounding, NumberFinding, Place, ReportDocument } from '../../documents/index.ts';
import type { Evidence } from '../../evidence/index.ts';

/*
 * Reports read answers and nothing else: where a citation stands is read off the trace here. A test holds this
 * against the grounding of the debate itself.
 */

/** What a page needs of a grounding. */
export type Ground = Pick<Grounding, 'document' | 'block' | 'start' | 'end' | 'cells' | 'quote' | 'told'>;
export type GroundOf = (cited: Evidence | Place, numbers?: readonly NumberFinding[]) => Ground | null;

interface Standing {
  document: ReportDocument;
  block: Block;
}

/** A block, an extract of one, a row told as a sentence, or a number finding. A file's name may have a # in it: the last one counts. */
const sourceName = /^(?<block>.*#b\d+)(?:@(?<from>\d+)-\d+|\/row-(?<row>\d+)|\/numbers-(?<finding>\d+))?$/s;

/** From a citation, or a place, to the characters and cells it stands on; null for a struck quotation and for a place that is not in the dossier. */
export function groundIn(documents: readonly ReportDocument[]): GroundOf {
  const blocks = new Map(documents.flatMap((document) => document.blocks.map((block): [string, Standing] => [`${document.name}#${block.id}`, { document, block }])));
  const at = (id: string, { start, end }: { start: number; end: number }): Ground | null => {
    const standing = blocks.get(id);
    if (!standing || start < standing.block.start || end > standing.block.end || start >= end) return null;
    const cells = (standing.block.table?.cells ?? []).filter((cell) => cell.start < end && cell.end > start);
    return { ...standing, start, end, cells, quote: standing.document.text.slice(start, end) };
  };
  return (cited, numbers = []) => {
    if ('block' in cited) return at(cited.block, cited);
    const name = cited.verified ? sourceName.exec(cited.source)?.groups : undefined;
    const standing = name && blocks.get(name['block']!);
    if (!cited.verified || !standing) return null;
    if (name['finding'] !== undefined) {
      const [stated] = numbers[Number(name['finding']) - 1]?.places ?? [];
      return told(stated ? at(stated.block, stated) : null, 'numbers');
    }
    if (name['row'] !== undefined) {
      const row = standing.block.sentences.find((sentence) => sentence.row === Number(name['row']));
      return told(row ? at(name['block']!, row) : null, 'row');
    }
    const offset = name['from'] === undefined ? standing.block.start : Number(name['from']);
    return at(name['block']!, { start: offset + cited.start, end: offset + cited.end });
  };
}

function told(ground: Ground | null, by: 'row' | 'numbers'): Ground | null {
  return ground && { ...ground, told: by };
}
