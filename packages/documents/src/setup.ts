import type { DebateEvent, Observation, Reasoner } from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import type { ItemContext } from '@agonhq/engine/items/item-context';
import type { KnownCorrections } from '@agonhq/judges/job/correction';
import type { JudgeOptions, TrialSetup } from '@agonhq/judges/job/job-trial';
import type { Claim, ClaimAnswer } from './analysis.ts';
import type { Dossier } from './document.ts';
import type { NumberFinding } from './numbers/finding.ts';
import type { DocumentPlan, DocumentSeat } from './plan.ts';

/** A text as a unit vector. */
export type EmbedPassages = (text: string, options: { signal: AbortSignal }) => Promise<Float32Array>;

/** A file that a document was read from, as it is kept with the case. */
export interface Original {
  /** The document's. */
  hash: string;
  mediaType: string;
  data: Uint8Array;
}

/** Everything that the analysis of documents is handed at the edge. */
export interface AnalysisSetup extends TrialSetup {
  plan: DocumentPlan;
  reasoners: Readonly<Record<DocumentSeat, Reasoner>>;
  /** For retrieval beside the lexical one; null for the lexical one alone. */
  embed: EmbedPassages | null;
  /** Finds what speaks to the judges instead of being judged; nobody looks when absent. */
  findInjections?: (source: Source) => readonly Observation[];
  /** What people corrected in earlier analyses; nothing when absent. */
  corrections?: KnownCorrections;
  /** What the checks of numbers found where the files were read; they are checked here when absent. */
  numbers?: readonly NumberFinding[];
  /** The files themselves, for the recorder; none when absent. */
  originals?: readonly Original[];
}

export interface AnalyzeOptions extends Pick<JudgeOptions, 'signal' | 'stream' | 'debate'> {
  /** The user's own claims; the factor agent is not asked then. */
  factors?: readonly string[];
  /** Instead of the plan's. */
  maxFactors?: number;
  /** What is known about the documents beside what they say: for people alone, no seat is shown it. */
  context?: ItemContext;
  /** False: the claims alone are judged, and nobody is asked for the outlook's brief. */
  outlook?: boolean;
  /** What `control` may spend on a claim: the tokens of the debate it is held against; null where not known. */
  tokens?: number | ((claim: string) => number | null);
}

interface InAnalysis {
  debate: string;
  /** The claim's id, or null for what concerns them all. */
  scope: string | null;
}

/** The debates' events, each with its claim as `scope`, and the steps around them. */
export type AnalysisEvent =
  | DebateEvent
  | (InAnalysis &
      (
        | { type: 'dossier-ready'; dossier: Dossier; numbers: readonly NumberFinding[]; chunks: number }
        | { type: 'claims-ready'; claims: readonly Claim[] }
        | { type: 'claim-start'; claim: Claim }
        | { type: 'claim-end'; answer: ClaimAnswer }
      ));
