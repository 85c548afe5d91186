import { isObservation, type Observation, type Ruling } from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';

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
