import { isAllowed, type Clause, type ClauseExample, type Policy } from '@agonhq/engine/policy';

/** A policy as the embedded reasoner sees it: what the guard model was trained for, and what is the user's own. */
export interface SortedClauses {
  /** Clauses of the default policy that are in force, word for word. */
  known: readonly Clause[];
  /** Clauses in force that the default policy does not have, or has in other words. */
  own: readonly Clause[];
  /** Clauses of the default policy that this one allows or lacks. */
  dropped: readonly Clause[];
}

/** Tells the user's own clauses from those of the default policy: the same id with the same text is the same clause. */
export function sortClauses(policy: Policy, defaults: Policy): SortedClauses {
  const shipped = new Map(listClauses(defaults).map((clause) => [clause.id, clause]));
  const given = listClauses(policy);
  const inForce = given.filter((clause) => !isAllowed(clause));
  const isKnown = ({ id, text }: Clause) => shipped.get(id)?.text === text;
  const named = new Set(inForce.map(({ id }) => id));
  return {
    known: inForce.filter(isKnown),
    own: inForce.filter((clause) => !isKnown(clause)),
    dropped: [
      ...given.filter((clause) => isAllowed(clause)),
      ...[...shipped.values()].filter(({ id }) => !named.has(id) && !given.some((clause) => clause.id === id)),
    ],
  };
}

function listClauses({ categories }: Policy): Clause[] {
  return categories.flatMap(({ clauses }) => clauses);
}

/** A policy of some of the clauses of policies, each under its own category. */
export function pickClauses(policies: readonly Policy[], wanted: readonly Clause[]): Policy {
  const categories = policies.flatMap((policy) =>
    policy.categories.flatMap((category) => {
      const clauses = category.clauses.filter((clause) => wanted.includes(clause));
      return clauses.length > 0 ? [{ ...category, clauses }] : [];
    }),
  );
  return { ...policies[0]!, categories };
}

/** An example as the guard reads it. */
export function joinExample({ text, imageDescription }: ClauseExample): string {
  return [text, imageDescription].filter((part) => part !== undefined).join('\n');
}
