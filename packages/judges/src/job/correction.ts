import type { JobAnswer, JobCorrection } from '@agonhq/engine/debate';

export { showCorrection, type JobCorrection } from '@agonhq/engine/debate';

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
