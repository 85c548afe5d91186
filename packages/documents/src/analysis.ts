import { defineStep } from '@agonhq/engine/debate';
import type { Analysis } from './analysis-schema.ts';

export type { Analysis } from './analysis-schema.ts';
export type ClaimAnswer = Analysis['claims'][number];
export type ClaimVerdict = ClaimAnswer['verdict'];
export type DocumentsProvenance = Analysis['provenance'];
export type Outlook = Analysis['outlook'];

/** A claim as it stands in an answer, with the hash of it and of the files it was judged against. */
export type ClaimSubject = ClaimAnswer['subject'];
/** A claim of a document, or the user's own, ready to be debated. */
export type Claim = Omit<ClaimSubject, 'hash'>;
/** What a person corrected earlier, brought into the debate of a claim that is the same or alike. */
export type RecalledCorrection = NonNullable<ClaimAnswer['corrections']>[number];
/** A search for what a dissent says is missing. */
export type AbsenceSearch = ClaimAnswer['absences'][number];

/**
 * Which reading of documents and numbers this is. It is part of a case's key, and answers name it: after the first
 * release, whoever changes what the reader finds counts it up.
 */
export const documentsEdition = 1;

export const documentsId = 'documents';

/** What a claim can turn out to be; `undecided` when it could not be judged at all. */
export const claimLabels = [
  'verified-strong',
  'supported',
  'mixed',
  'contradicted',
  'unsupported',
  'undecided',
] as const;
export type ClaimLabel = (typeof claimLabels)[number];

/** What became of the factor agent's claims, as it is on record under the name `selection`. */
export interface ClaimSelection {
  claims: readonly Claim[];
  /** How many were left out: quoted from nowhere, said before; and how many were checked, but not debated. */
  dropped: { unquoted: number; duplicates: number; overMax: number };
  coverage: Analysis['coverage'];
}

/** What code puts on record: the claims it chose, corrections it recalled, what it looked for in vain, its verdict. */
export const selectionStep = defineStep<ClaimSelection>('selection');
export const correctionsStep = defineStep<readonly RecalledCorrection[]>('corrections');
export const absencesStep = defineStep<readonly AbsenceSearch[]>('absences');
export const adjudicationStep = defineStep<ClaimVerdict>('adjudication');
