import type { CaseFile, Degradation, Observation } from '@agonhq/engine/debate';
import type { Claim, ClaimAnswer, RecalledCorrection } from './analysis.ts';
import type { Dossier } from './document.ts';
import type { NumberFinding } from './numbers/finding.ts';

/**
 * All that the debaters of one claim may see. Sources are blocks (`report.pdf#b12`) or, of long ones, extracts by their
 * offsets in the document's text (`report.pdf#b12@310-420`); then observations: rows told as sentences
 * (`report.pdf#b12/row-3`), number findings (`report.pdf#b12/numbers-1`, the first of `numbers`) and passages that
 * speak to the judges (`report.pdf#b12/injection-1`).
 */
export interface DocumentCaseFile extends CaseFile {
  claim: Claim;
  dossier: Dossier;
  /** The number findings that touch the claim, those of its own statement first. */
  numbers: readonly NumberFinding[];
  /** What people corrected on this claim or on ones alike; absent where there is none. */
  corrections?: readonly RecalledCorrection[];
}

/** What the factor agent reads at once: blocks of the dossier. */
export interface FactorCaseFile extends CaseFile {
  dossier: Dossier;
}

/** What the outlook is written from: nothing in it can be quoted. */
export interface OutlookCaseFile extends CaseFile {
  dossier: Dossier;
  claims: readonly ClaimAnswer[];
  /** Every number finding of the dossier. */
  numbers: readonly NumberFinding[];
  /** Passages that speak to the judges. */
  observations: readonly Observation[];
  /** Why claims may be missing: where the factor agent gave no answer. */
  degraded: readonly Degradation[];
  /** What code decided. */
  label: 'positive' | 'mixed' | 'negative' | 'undecided';
}

/** What the zero-shot judge reads: the whole dossier, and all claims. */
export interface ZeroShotCaseFile extends CaseFile {
  dossier: Dossier;
  claims: readonly Claim[];
}
