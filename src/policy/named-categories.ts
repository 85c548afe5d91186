import { findClause } from './clauses.ts';
import type { Policy } from './policy.ts';

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
