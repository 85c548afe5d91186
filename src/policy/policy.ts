/** One rule of a category, with examples that show where it begins and where it ends. */
export interface Clause {
  /** `weapons.instructions`: unique in the policy, prefixed by its category's id. */
  id: string;
  /** One short sentence: it is in every prompt. */
  text: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  /** Contents that break the clause. */
  violations: readonly string[];
  /** Contents that look alike and do not. */
  exonerations: readonly string[];
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
  categories: readonly Category[];
  /** `sha256:…` of the policy's content, whatever its comments and layout. */
  hash: string;
}
