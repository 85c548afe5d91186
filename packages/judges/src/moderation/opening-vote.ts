import { findOpeningTurns, type SafetyLabel, type Transcript } from '@agonhq/engine/debate';
import { meanOf } from '@agonhq/engine/statistics';
import { labelOf } from './adjudicate.ts';
import type { DebatePlan } from './plan.ts';
import { looseDebater, strictDebater } from './roles/debaters.ts';
import { judge } from './roles/judges.ts';

/**
 * What a debate would have decided before anybody had heard anybody: its own round-zero vote. Strict and loose of
 * round 1 by the mean of their scores; where they take turns only the first spoke unheard, which a transcript does
 * not tell. Judges without a role by their majority. Null where nobody was to be debated with, or nobody was heard.
 *
 * @example countOpeningVote(answer.transcript) // { label: 'unsafe', score: 0.55 }
 */
export function countOpeningVote(
  transcript: Transcript,
  turns: DebatePlan['turns'] = 'together',
): { label: SafetyLabel; score: number } | null {
  const debaters = findOpeningTurns(transcript, strictDebater, looseDebater);
  if (debaters.length > 0) {
    const score = meanOf(debaters.slice(0, turns === 'alternate' ? 1 : undefined).map((turn) => turn.score));
    return score === null ? null : { label: labelOf(score), score };
  }
  const votes = findOpeningTurns(transcript, judge).flatMap(({ score }) => score ?? []);
  const score = meanOf(votes);
  if (score === null) return null;
  const against = votes.filter((vote) => labelOf(vote) === 'unsafe').length * 2;
  return { label: against === votes.length ? 'undecided' : against > votes.length ? 'unsafe' : 'safe', score };
}
