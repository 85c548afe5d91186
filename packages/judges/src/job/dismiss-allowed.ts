import type { Ruling } from '@agonhq/engine/debate';
import { namedCategories, type Policy } from '@agonhq/engine/policy';

/** The rule by which a violation of nothing but clauses that are switched off is safe. */
const allowedRule = 'allowed-by-policy';

/**
 * What breaks only clauses that the policy allows breaks nothing: such a ruling is turned into safe, without a score
 * that would speak against it. Whoever also names a clause in force, or one that nobody knows, is heard.
 */
export function dismissAllowed<Decided extends Ruling>(ruling: Decided, policy: Policy): Decided {
  if (ruling.label !== 'unsafe') return ruling;
  const { categories, allowed, unknown } = namedCategories(ruling.clauses ?? [], policy);
  if (allowed.length === 0 || categories.length > 0 || unknown.length > 0) return ruling;
  const { clauses: _, ...rest } = ruling;
  const why = `What was found falls under ${allowed.join(', ')}, which the policy allows.`;
  return { ...(rest as Decided), label: 'safe', score: 0, rule: { id: allowedRule, why } };
}
