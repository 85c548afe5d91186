import type { Answer, Exclusion, Precedent } from '../../debate/index.ts';
import { plural } from '../words.ts';
import { briefOf, type ModerationAnswer } from './moderation-answer.ts';

const reasons = new Map<string, string>(Object.entries({
  itself: 'the item itself',
  'near-duplicate': 'nearly the same text as the item',
  'evaluation-set': 'from the data set that is being scored',
  'left-out': 'left out on purpose',
  collapsed: 'says the same as one that is shown',
} satisfies Record<Exclusion['reason'], string>));

/** What the search for precedents left out, in a sentence for each reason; ids go through `show`. */
export function exclusionLines({ retrieval }: Pick<Answer, 'retrieval'>, show: (id: string) => string): string[] {
  if (!retrieval) return [];
  const byReason = Map.groupBy(retrieval.excluded, ({ reason }) => reason);
  const named = [...byReason].map(([reason, excluded]) => `Not shown, ${reasons.get(reason) ?? show(reason)}: ${excluded.map(({ id }) => show(id)).join(', ')}`);
  return [...named, ...(retrieval.furtherExcluded ? [`Not shown either: ${plural(retrieval.furtherExcluded, 'further precedent')}`] : [])];
}

/** So many precedents are shown in full, and those that the brief draws on. */
const shownInFull = 5;

/** The precedents that a reader sees, and in a sentence how many the panel had besides. */
export function shownPrecedents(answer: ModerationAnswer): { shown: readonly Precedent[]; further: string | null } {
  const cited = new Set((briefOf(answer)?.cues ?? []).map(({ precedent }) => precedent));
  const [shown, rest] = [[], []] as [Precedent[], Precedent[]];
  for (const [rank, precedent] of answer.precedents.entries()) (rank < shownInFull || cited.has(precedent.id) ? shown : rest).push(precedent);
  const unsafe = rest.filter(({ label }) => label === 'unsafe').length;
  return { shown, further: rest.length === 0 ? null : `${rest.length} more alike ${rest.length === 1 ? 'case was' : 'cases were'} before the panel, ${unsafe} unsafe and ${rest.length - unsafe} safe; the answer has them all.` };
}

/** What is wrong with the library that was searched; null when nothing is. */
export function libraryProblem({ retrieval }: Pick<Answer, 'retrieval'>): string | null {
  return retrieval?.library.problem ?? null;
}
