import type { Observation } from '@agonhq/engine/debate';
import type { DocumentsProvenance } from './analysis.ts';
import type { Dossier } from './document.ts';
import type { NumberFinding } from './numbers/finding.ts';
import type { AnalysisEvent, AnalysisSetup, AnalyzeOptions } from './setup.ts';

/** One analysis under way. */
export interface AnalysisSession {
  dossier: Dossier;
  setup: AnalysisSetup;
  options: AnalyzeOptions;
  debate: string;
  provenance: DocumentsProvenance;
  /** Every number finding of the dossier. */
  numbers: readonly NumberFinding[];
  /** Passages of the dossier that speak to the judges. */
  observations: readonly Observation[];
}

export type ClaimTrial<Result> = AsyncGenerator<AnalysisEvent, Result, void>;

export function conductOptions({ debate, setup, options }: AnalysisSession) {
  return { debate, journal: setup.journal, signal: options.signal, stream: options.stream };
}
