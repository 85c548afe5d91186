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

/**
 * What a person makes of one finding for the report: words of their own, a note, or that it stays out of exports. It
 * stands beside what the machine says, which is never replaced.
 */
export interface FindingEdit {
  case: string;
  /** Which finding of it: `claim-02`, `number-3`. */
  finding: string;
  /** How the finding is put in the report, in the person's words; null where they have none. */
  wording: string | null;
  note: string | null;
  leftOut: boolean;
  by: string;
  at: Date;
}
