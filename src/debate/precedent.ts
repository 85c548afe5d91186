import { defineStep, findValue, type Transcript } from './transcript.ts';

/** What a case consists of. */
export type PrecedentModality = 'text' | 'image' | 'text+image';

/** What a case was learnt from: a verdict that was wrong, or one that the truth confirmed. */
export type PrecedentLesson = 'mistake' | 'confirmation';

/** A decided case with its cues, retrieved for similar cases. */
export interface Precedent {
  id: string;
  label: 'safe' | 'unsafe';
  /** A category of the policy. */
  category: string | null;
  summary: string;
  cues: readonly string[];
  /** What made it safe or unsafe. */
  why?: string;
  /** Who stands for it: `seed` for those that ship, a person, a data set. */
  confirmedBy?: string;
  modality?: PrecedentModality;
  lesson?: PrecedentLesson;
  /** How alike it is to the case at hand, 0 to 1. */
  similarity: number;
}

/** What a search must not see. */
export interface Unseen {
  /** Data sets that are being scored: what comes from them is left out … */
  datasets?: readonly string[];
  /** … but for the batches before this one, in the learning experiment. */
  beforeBatch?: number;
  /** Precedents that the trial is to be held without. */
  precedents?: readonly string[];
}

export interface PrecedentQuery extends Unseen {
  text: string;
  /** Hash of what is judged: its own precedent is never shown to it. */
  subject?: string;
  /** Where an image is judged, cases of the same modality come before others that are as alike. */
  modality?: PrecedentModality;
  /** At most this many, the most alike first. */
  limit: number;
  signal: AbortSignal;
}

/** Why a case that is alike was not shown. `collapsed`: it says the same as one that was. */
export type ExclusionReason = 'itself' | 'near-duplicate' | 'evaluation-set' | 'left-out' | 'collapsed';

export interface Exclusion {
  id: string;
  reason: ExclusionReason;
  similarity?: number;
}

/** What a search found, and what it left out. */
export interface Retrieval {
  precedents: readonly Precedent[];
  /** The most alike first; at most a few dozen are named. */
  excluded: readonly Exclusion[];
  /** How many were left out beyond those that are named. */
  furtherExcluded?: number;
  library: LibraryState;
}

/** The library as the search found it. */
export interface LibraryState {
  /** Precedents that could be found. */
  size: number;
  /** What is wrong with it, in a sentence; null when nothing is. */
  problem: string | null;
}

/** Where precedents come from. `version` names the state of the library: it is part of a verdict's provenance. */
export interface PrecedentLibrary {
  readonly version: string;
  search(query: PrecedentQuery): Promise<Retrieval>;
}

/** The step that searches for precedents. In trials of earlier releases it put the precedents alone on record. */
export const retrievalStep = defineStep<Retrieval | readonly Precedent[]>('precedents');

/** What the search for precedents put on record; null when nobody searched. */
export function findRetrieval(transcript: Transcript): Retrieval | null {
  const value = findValue(transcript, retrievalStep);
  if (value === undefined) return null;
  if (!('precedents' in value))
    return { precedents: value, excluded: [], library: { size: value.length, problem: null } };
  return value;
}
