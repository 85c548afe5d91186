import type { Turn } from '@agonhq/engine/debate';
import type { Evidence } from '@agonhq/engine/evidence';
import type {
  Analysis,
  Block,
  Box,
  Cell,
  ClaimAnswer,
  Grounding,
  NumberFinding,
  NumberPlace,
  ReportDocument,
} from '@agonhq/documents';
import type { MarkTone } from '../../../components/tones.ts';

/*
 * The server hands an analysis out whole, as it was sealed: what the contract leaves open is typed as it was made.
 * Types only; nothing of these folders is bundled.
 */

export type {
  Analysis,
  Block,
  Box,
  Cell,
  ClaimAnswer,
  Evidence,
  Grounding,
  NumberFinding,
  NumberPlace,
  ReportDocument,
  Turn,
};

/** What a passage is cited for, which colours it. */
export type TraceSide = 'for' | 'against' | 'number' | 'origin' | 'seen';

/** A place of the dossier that something about a claim points to. */
export interface Citation {
  /** Its number among those of the claim, in the order in which they are shown, from 0. */
  index: number;
  /** What was quoted; of a place, what stands there. */
  quote: string;
  /** Null where nothing is to be shown: a struck quotation, a place that is not in the dossier. */
  grounding: Grounding | null;
  /** It is in no source, and decides nothing. */
  struck: boolean;
  /** `page 3`, `sheet Income, C3`; empty where there is none. */
  where: string;
  side: TraceSide;
  /** `premise 1`: who cites it. */
  by: string;
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
