/** A content that shows where a clause begins or ends. At least one of the two is there. */
export interface Example {
  text?: string;
  /** What an image shows, in words: it stands for the image. */
  imageDescription?: string;
}

export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** One rule of a category, with examples that show where it begins and where it ends. */
export interface Clause {
  /** `weapons.make`: unique in the policy, prefixed by its category's id. */
  id: string;
  /** One short phrase: it is in every prompt. */
  text: string;
  severity: Severity;
  /** Contents that break the clause. */
  violations: readonly Example[];
  /** Contents that look alike and do not. */
  exonerations: readonly Example[];
}

export interface Category {
  id: string;
  title: string;
  clauses: readonly Clause[];
}

/** The rulebook. */
export interface Policy {
  name: string;
  version: string;
  /** How to read all clauses, said once ahead of them. */
  preamble?: string;
  categories: readonly Category[];
  /** `sha256:…` of the policy's content, whatever its comments and layout. */
  hash: string;
}
