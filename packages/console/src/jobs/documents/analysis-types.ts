import type { Analysis, Block, Box, Cell, ClaimAnswer, Grounding, ReportDocument } from '@agonhq/documents';
import type { Citation, TraceSide } from '@agonhq/documents/trace';
import type { MarkTone } from '../../components/tones.ts';

/*
 * The server hands an analysis out whole, as it was sealed: what the contract leaves open is typed as it was made.
 */

export type { Analysis, Block, Box, Cell, Citation, ClaimAnswer, Grounding, ReportDocument, TraceSide };

/** How a reader goes from a citation to its place. In a report, links alone lead there. */
export interface Going {
  active: number | null;
  onGo: (citation: Citation) => void;
}

export const sideTones: Record<TraceSide, MarkTone> = {
  for: 'exoneration',
  against: 'risk',
  number: 'implicit',
  origin: 'caution',
  seen: 'both',
};

export const sideTitles: Record<TraceSide, string> = {
  for: 'cited for the claim',
  against: 'cited against it',
  number: 'checked number',
  origin: 'source of the claim',
  seen: 'searched',
};
