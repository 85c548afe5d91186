import { isObservation, type Observation, type Ruling } from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import { namedCategories, type Policy } from '@agonhq/engine/policy';

/* What code makes of a ruling, whoever was heard for it. */

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

const longestExcerpt = 60;

/**
 * What nobody can read is not safe: such a ruling is turned into undecided, without a score, which would be one of
 * scrambled letters. Harm that was found in the rest of it stands.
 */
export function holdUnreadable<Decided extends Ruling>(
  ruling: Decided,
  sources: readonly (Source | Observation)[],
): Decided {
  const passage = sources.find((source) => isObservation(source) && source.tool === 'unreadable');
  // What is no words shows a language only by chance.
  if (!passage || (ruling.label !== 'safe' && ruling.rule.id !== 'unsupported-language')) return ruling;
  const { text } = passage;
  const excerpt = text.length <= longestExcerpt ? text : `${text.slice(0, longestExcerpt).toWellFormed()}…`;
  const why =
    `“${excerpt.replace(/\s+/g, ' ')}” is in no language that Agon knows, even with all disguises undone that it ` +
    'knows: what nobody can read is not called safe.';
  return { ...ruling, label: 'undecided', score: null, rule: { id: 'unreadable', why } };
}
