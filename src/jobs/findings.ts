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

/** An edit as the ledger keeps it, or as it comes over HTTP. */
export type GivenEdit = Omit<FindingEdit, 'at' | 'case'> & { at: Date | string };

/** Which findings are shown, and in which order; all of them, the worst first, by default. */
export interface Arrangement {
  /** A column, `-` before it for the other way round. */
  sort?: string | undefined;
  /** A kind of finding. */
  show?: string | undefined;
  /** Words that they have, all of them. */
  search?: string | undefined;
}
