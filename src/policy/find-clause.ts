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

/** The clauses that a judge named by id, each with its category. A category's id stands for its first clause. */
export function namedCategories(
  ids: readonly string[],
  policy: Policy,
): { categories: { id: string; clause: string }[]; unknown: string[] } {
  const unknown: string[] = [];
  const named = new Map<string, { id: string; clause: string }>();
  for (const id of ids) {
    const category = policy.categories.find((candidate) => candidate.id === id);
    const found = findClause(policy, id) ?? (category && { category, clause: category.clauses[0]! });
    if (found) named.set(found.clause.id, { id: found.category.id, clause: found.clause.id });
    else unknown.push(id);
  }
  return { categories: [...named.values()], unknown };
}
