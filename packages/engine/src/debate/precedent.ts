import type { z } from 'zod';
import type { Fingerprint } from '../fingerprint.ts';
import type { Described, precedentSchema, retrievalSchema } from './answer-schema.ts';
import { defineStep, findValue, type Transcript } from './transcript.ts';

/** A decided case with its cues, retrieved for similar cases. */
export interface Precedent extends Described<z.infer<typeof precedentSchema>> {}

/** What a case consists of. */
export type PrecedentModality = NonNullable<Precedent['modality']>;

/** What a case was learnt from: a verdict that was wrong, or one that the truth confirmed. */
export type PrecedentLesson = NonNullable<Precedent['lesson']>;

/** What a search must not see. */
export interface Unseen {
  /** Data sets that are being scored: what comes from them is left out … */
  datasets?: readonly string[];
  /** … but for the batches before this one, in the learning experiment. */
  beforeBatch?: number;
  /** Precedents that the trial is to be held without. */
  precedents?: readonly string[];
  /** The item itself and nearly the same text: where verdicts are measured, nobody may be told the answer. */
  copies?: boolean;
}

/** What is searched for: a text, what it is part of, and what must not be seen. */
export interface PrecedentQuery extends Unseen {
  text: string;
  /** Hash of what is judged: by it its own precedent is told. */
  subject?: string;
  /** Where an image is judged, cases of the same modality come before others that are as alike. */
  modality?: PrecedentModality;
  /** What stands for the pixels of its images: cases with a copy of one of them come first. */
  pictures?: readonly Fingerprint[];
  /** At most this many, the most alike first. */
  limit: number;
  signal: AbortSignal;
}

/** What a search found, and what it left out. */
export interface Retrieval extends Described<z.infer<typeof retrievalSchema>> {
  precedents: readonly Precedent[];
}

/** A case that is alike and was not shown. */
export type Exclusion = Retrieval['excluded'][number];

/** Why a case that is alike was not shown. */
export type ExclusionReason = Exclusion['reason'];

/** Where precedents come from. `version` names the state of the library: it is part of a verdict's provenance. */
export interface PrecedentLibrary {
  readonly version: string;
  search(query: PrecedentQuery): Promise<Retrieval>;
}

/** The step that searches for precedents. */
export const retrievalStep = defineStep<Retrieval>('precedents');

/** What the search for precedents put on record; null when nobody searched. */
export function findRetrieval(transcript: Transcript): Retrieval | null {
  return findValue(transcript, retrievalStep) ?? null;
}
