import type { JobAnswer } from './job-answer.ts';

/**
 * What a person says the verdict on one claim of an answer should have been. It stands beside the answer, which keeps
 * the verdict as it was given; it is never changed, and may be withdrawn.
 */
export interface JobCorrection {
  /** `cor-…`. */
  id: string;
  /** The case that the claim was judged in. */
  case: string;
  /** Which claim of it: `claim-02`. */
  claim: string;
  /** The claim's own words. */
  text: string;
  /** The verdict of the machine. */
  verdict: string;
  /** What it should have been. */
  label: string;
  why: string;
  /** Who says so. */
  by: string;
  at: Date;
  withdrawn: { by: string; why: string | null; at: Date } | null;
  /** What later claims are held against, as the job describes it. */
  matter: unknown;
}

/** A correction as people see it: what later claims are held against is for code alone. */
export function showCorrection(correction: JobCorrection): Omit<JobCorrection, 'matter'> {
  const { matter: _, ...shown } = correction;
  return shown;
}

/** How people correct the verdicts on the claims of an answer, and how that is remembered. */
export interface JobCorrections<Answer extends JobAnswer = JobAnswer> {
  /** What a claim can be said to be. */
  readonly labels: readonly string[];
  listClaims(answer: Answer): readonly CorrectableClaim[];
  /** What of an answer a report lists, and people edit for it. */
  listFindings(answer: Answer): readonly { id: string; text: string }[];
  /** The corrections that were brought into an answer's debates: whoever holds them again brings the same. */
  listRecalled(answer: Answer): readonly JobCorrection[];
}

export interface CorrectableClaim {
  /** `claim-02`. */
  id: string;
  text: string;
  label: string;
  /** What later claims are held against. */
  describeMatter(): unknown;
}

/** The corrections that claims are held against. `version`: what stood for them in a trial that is held again. */
export interface KnownCorrections {
  version: string | null;
  corrections: readonly JobCorrection[];
}
