import { defaultActions, severities, standardActions, type Severity } from './known-actions.ts';
import { findClause, type Clause, type Policy } from './policy.ts';

/* What is to be done with content: a verdict proposes it, a person confirms or changes it. */

/** What is to be done with what breaks a clause. */
export function actionOf({ action, severity }: Pick<Clause, 'action' | 'severity'>): string {
  return action === undefined || action === 'forbid' ? defaultActions[severity] : action;
}

/** Every action that a person may choose under a policy, with the words of its notice. */
export function listActions({ actions = {} }: Pick<Policy, 'actions'>): { id: string; text: string; own: boolean }[] {
  const standard = Object.entries(standardActions).map(([id, { notice }]) => [id, notice]);
  return Object.entries<string>({ ...Object.fromEntries(standard), ...actions }).map(([id, text]) => ({
    id,
    text,
    own: Object.hasOwn(actions, id),
  }));
}

/** What a verdict came to, as far as an action follows from it. */
interface Decided {
  label: 'safe' | 'unsafe' | 'undecided';
  /** Clauses by id; null where nobody could name any: a list or a pattern decided. */
  clauses: readonly string[] | null;
}

/**
 * The action that the policy asks for: of the gravest clause that is broken, and of several as grave the first in the
 * policy. What is safe is allowed; what is undecided, or breaks no clause that the policy has, is for a person.
 */
export function proposeAction(
  policy: Policy,
  { label, clauses }: Decided,
): { action: string; severity: Severity | null } {
  if (label === 'safe') return { action: 'allow', severity: null };
  if (label === 'undecided') return { action: 'escalate', severity: null };
  if (clauses === null) return { action: 'remove', severity: null };
  const gravest = findGravest(policy, clauses);
  return gravest ? { action: actionOf(gravest), severity: gravest.severity } : { action: 'escalate', severity: null };
}

function findGravest(policy: Policy, ids: readonly string[]): Clause | undefined {
  const broken = ids.flatMap((id) => findClause(policy, id)?.clause ?? []);
  const worst = Math.max(...broken.map(({ severity }) => severities.indexOf(severity)));
  return policy.categories
    .flatMap(({ clauses }) => clauses)
    .find((clause) => broken.includes(clause) && severities.indexOf(clause.severity) === worst);
}
