import type { Category, Clause, Policy } from './policy.ts';

/** All clause ids, in the order of the file. */
export function clauseIds(policy: Policy): string[] {
  return policy.categories.flatMap((category) => category.clauses.map((clause) => clause.id));
}

/** The clause of an id, with its category. */
export function findClause(policy: Policy, id: string): { category: Category; clause: Clause } | undefined {
  for (const category of policy.categories) {
    const clause = category.clauses.find((candidate) => candidate.id === id);
    if (clause) return { category, clause };
  }
  return undefined;
}
