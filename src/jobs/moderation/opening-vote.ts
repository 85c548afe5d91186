import { findTurns, type SafetyLabel, type Transcript } from '../../debate/index.ts';
import { heardOf, judgesIn, labelOf, majorityOf, meanOf } from './opinions.ts';
import type { DebatePlan } from './plan.ts';

/**
 * What a debate would have decided before anybody had heard anybody: its own round-zero vote. Strict and loose of
 * round 1 by the mean of their scores; where they take turns only the first spoke unheard, which a transcript does
 * not tell. Judges without a role by their majority. Null where nobody was to be debated with, or nobody was heard.
 *
 * @example openingVote(answer.transcript) // { label: 'unsafe', score: 0.55 }
 */
export function openingVote(
  transcript: Transcript,
  turns: DebatePlan['turns'] = 'together',
): { label: SafetyLabel; score: number } | null {
  const debaters = heardOf(findTurns(transcript).filter(({ role, round }) => role.endsWith('-debater') && round === 1));
  if (debaters.length > 0) {
    const score = meanOf(debaters.slice(0, turns === 'alternate' ? 1 : undefined).map((turn) => turn.score));
    return { label: labelOf(score), score };
  }
  const votes = heardOf(
    judgesIn(transcript).filter(({ seat, round }) => /^(?:vote|peer)#/.test(seat) && (round ?? 1) === 1),
  ).map((turn) => turn.score);
  return votes.length === 0 ? null : { label: majorityOf(votes), score: meanOf(votes) };
}
