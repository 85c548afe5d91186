import { AgonError } from '../../errors.ts';
import { findClause, type Policy } from '../../policy/index.ts';

interface Place {
  category: string | null;
  clause: string | null;
}

/** Where in a policy a precedent belongs: as it is said, and else as it was. */
export function clauseMeant({ category, clause }: Partial<Place>, before: Place, policy: Policy): Place {
  if (category !== undefined && category !== null && !policy.categories.some(({ id }) => id === category))
    throw noSuch('category', category);
  if (clause === undefined || clause === null) {
    if (category === undefined) return { category: before.category, clause: clause === null ? null : before.clause };
    return { category, clause: clause === undefined && category === before.category ? before.clause : null };
  }
  const found = findClause(policy, clause);
  if (!found) throw noSuch('clause', clause);
  if (category !== undefined && category !== found.category.id)
    throw new AgonError(
      'no-such-clause',
      `${clause} is a clause of ${found.category.id}, not of ${category ?? 'none'}.`,
      'Leave the category out: the clause says it.',
    );
  return { category: found.category.id, clause };
}

function noSuch(what: 'category' | 'clause', id: string): AgonError {
  return new AgonError(
    'no-such-clause',
    `The policy in force has no ${what} ${JSON.stringify(id)}.`,
    'GET /api/policies/active shows what it has.',
  );
}
