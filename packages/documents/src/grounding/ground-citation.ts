import type { Evidence } from '@agonhq/engine/evidence';
import {
  type Block,
  type Box,
  type Cell,
  type Dossier,
  type ReportDocument,
  type Sentence,
  listBlocks,
  findSentences,
  readBlockText,
  overlaps,
  type DossierBlock,
} from '../document.ts';
import type { NumberFinding, NumberPlace } from '../numbers/finding.ts';
import { parseSourceName } from './source-name.ts';

/** Where a citation stands in the dossier. */
export interface Grounding {
  document: ReportDocument;
  block: Block;
  /** The first sentence, or row, that it touches. */
  sentence: Sentence | null;
  /** In the document's text. */
  start: number;
  end: number;
  boxes: readonly Box[];
  cells: readonly Cell[];
  /** The document's own characters from `start` to `end`. */
  quote: string;
  /** `row` or `numbers`: the words cited were told by code of what stands here, and are not here letter by letter. */
  told?: 'row' | 'numbers';
}

/**
 * φ: maps a citation, or a place, to document, block, sentence, characters, and boxes or cells. Null for a struck
 * quotation and for a place that is not in the dossier. A number finding is cited by its number among `numbers`.
 *
 * @example ground(answer.verdict.evidence[0], analysis, answer.numbers)?.boxes
 */
export function ground(
  cited: Evidence | NumberPlace,
  dossier: Dossier,
  numbers: readonly NumberFinding[] = [],
): Grounding | null {
  if ('block' in cited) return groundPlace(cited, dossier);
  if (!cited.verified) return null;
  const name = parseSourceName(cited.source);
  const standing = name && listBlocks(dossier).get(name.block);
  if (!standing) return null;
  if (name.finding !== undefined) {
    const [stated] = numbers[name.finding - 1]?.places ?? [];
    const grounding = stated ? groundPlace(stated, dossier) : null;
    return grounding && { ...grounding, told: 'numbers' };
  }
  if (name.row !== undefined) {
    const row = standing.block.sentences.find((sentence) => sentence.row === name.row);
    const grounding = row ? groundRange(standing, row) : null;
    return grounding && { ...grounding, told: 'row' };
  }
  if (name.injection !== undefined) {
    const start = readBlockText(standing).indexOf(cited.quote);
    return start < 0
      ? null
      : groundRange(standing, {
          start: standing.block.start + start,
          end: standing.block.start + start + cited.quote.length,
        });
  }
  const offset = name.extract?.start ?? standing.block.start;
  return groundRange(standing, { start: offset + cited.start, end: offset + cited.end });
}

function groundPlace(place: NumberPlace, dossier: Dossier): Grounding | null {
  const standing = listBlocks(dossier).get(place.block);
  return standing ? groundRange(standing, place) : null;
}

function groundRange(standing: DossierBlock, { start, end }: { start: number; end: number }): Grounding | null {
  const { document, block } = standing;
  if (start < block.start || end > block.end || start >= end) return null;
  const touched = findSentences(standing, { start, end });
  const cells = (block.table?.cells ?? []).filter((cell) => overlaps(cell, { start, end }));
  // The nearest that has boxes: the cells, the sentences, the block.
  const boxes =
    [cells, touched, [block]]
      .map((parts) => parts.flatMap((part) => part.boxes ?? []))
      .find((found) => found.length > 0) ?? [];
  return {
    document,
    block,
    sentence: touched[0] ?? null,
    start,
    end,
    boxes,
    cells,
    quote: document.text.slice(start, end),
  };
}
