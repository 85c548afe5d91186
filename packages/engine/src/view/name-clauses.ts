import type { Policy } from '../policy/index.ts';

export interface NamedClause {
  id: string;
  /** The title of its category, or its id where the policy is not at hand. */
  title: string;
  text: string | null;
  severity: string | null;
}

/** The clauses by their ids, with the policy's words where there is a policy. */
export function nameClauses(ids: readonly string[], policy: Policy | undefined): NamedClause[] {
  return [...new Set(ids)].map((id) => {
    for (const category of policy?.categories ?? []) {
      const clause = category.clauses.find((candidate) => candidate.id === id);
      if (clause) return { id, title: category.title, text: clause.text, severity: clause.severity };
    }
    return { id, title: id, text: null, severity: null };
  });
}
