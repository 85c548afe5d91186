import type { Precedent } from '../../../debate/index.ts';
import { briefOf, type ModerationAnswer } from './moderation-answer.ts';

/** So many precedents are shown in full, and those that the brief draws on. */
const shownInFull = 5;

/** The precedents that a reader sees, and in a sentence how many the panel had besides. */
export function shownPrecedents(answer: ModerationAnswer): { shown: readonly Precedent[]; further: string | null } {
  const cited = new Set((briefOf(answer)?.cues ?? []).map(({ precedent }) => precedent));
  const [shown, rest] = [[], []] as [Precedent[], Precedent[]];
  for (const [rank, precedent] of answer.precedents.entries())
    (rank < shownInFull || cited.has(precedent.id) ? shown : rest).push(precedent);
  const unsafe = rest.filter(({ label }) => label === 'unsafe').length;
  return {
    shown,
    further:
      rest.length === 0
        ? null
        : `${rest.length} more alike ${rest.length === 1 ? 'case was' : 'cases were'} before the panel, ${unsafe} ` +
          `unsafe and ${rest.length - unsafe} safe; the answer has them all.`,
  };
}
