import {
  defineStep,
  type Answer,
  type AnswerUsage,
  type Observation,
  type Provenance,
  type Transcript,
  type Verdict,
} from '../../debate/index.ts';
import type { claimKinds, outlooks } from './answers.ts';
import type { ReportDocument } from './document.ts';
import type { DocumentPlan } from './plan.ts';
import type { NumberFinding, Place } from './numbers/finding.ts';

/** What code puts on record: the claims it chose, what it looked for in vain, and its verdict. */
export const selectionStep = defineStep<Selection>('selection');
export const absencesStep = defineStep<readonly AbsenceSearch[]>('absences');
export const adjudicationStep = defineStep<Verdict<ClaimLabel>>('adjudication');

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

/** A claim of a document, or the user's own, ready to be debated. */
export interface Claim {
  /** `claim-01`. */
  id: string;
  /** Rewritten to stand alone. */
  text: string;
  kind: (typeof claimKinds)[number];
  domain: string;
  importance: number;
  /** The sentence it came from; null for the user's own. */
  origin: Place | null;
}

/** A search for what a dissent says is missing. */
export interface AbsenceSearch {
  /** Which attack, from 1. */
  attack: number;
  terms: readonly string[];
  found: readonly { term: string; place: Place; quote: string; near: boolean }[];
  blocksRead: number;
  /** Nothing was found: the absence is accepted. */
  accepted: boolean;
}

/** A claim as it stands in an answer. */
export interface ClaimSubject extends Claim {
  /** `sha256:…` of the claim and of the files it was judged against. */
  hash: string;
}

/** With the plan that was followed, so that it can be checked. */
export interface DocumentsProvenance extends Provenance {
  plan: DocumentPlan;
}

export type ClaimAnswer = Omit<Answer<ClaimSubject, ClaimLabel>, 'provenance'> & {
  verdict: Verdict<ClaimLabel>;
  provenance: DocumentsProvenance;
  /** The number findings that touch this claim. */
  numbers: readonly NumberFinding[];
  absences: readonly AbsenceSearch[];
  /** The dissent attacked nothing. */
  roleCollapse: boolean;
};

/** What the verdicts come to. The label is decided by code; brief, risks and questions are the synthesizer's words. */
export interface Outlook {
  label: (typeof outlooks)[number] | 'undecided';
  rule: { id: string; why: string };
  brief: string;
  risks: readonly string[];
  questions: readonly string[];
}

/** What became of the factor agent's claims, as it is on record under the name `selection`. */
export interface Selection {
  claims: readonly Claim[];
  /** How many were left out: quoted from nowhere, said before, or over the number asked for. */
  dropped: { unquoted: number; duplicates: number; overMax: number };
  coverage: Analysis['coverage'];
}

/** The debate trace: everything that was read, claimed, argued and decided about a dossier. */
export interface Analysis {
  version: 1;
  id: string;
  job: 'documents';
  documents: readonly ReportDocument[];
  claims: readonly ClaimAnswer[];
  /** Every number finding of the dossier, whether a claim touches it or not. */
  numbers: readonly NumberFinding[];
  /** Assertion-heavy blocks that yielded no claim. */
  coverage: readonly { block: string; quote: string; why: string }[];
  /**
   * Passages that speak to the judges, as they stand in their blocks. They are judged like the rest, and never
   * followed.
   */
  observations: readonly Observation[];
  outlook: Outlook;
  /** What the factor agent and the outlook could not do; that of the claims is in their own verdicts. */
  degraded: Verdict['degraded'];
  /** The factor agent's and the outlook's turns: those of the claims are in their own answers. */
  transcript: Transcript;
  usage: AnswerUsage;
  provenance: DocumentsProvenance;
  /** `sha256:…` of all of the above. */
  seal: string;
}
