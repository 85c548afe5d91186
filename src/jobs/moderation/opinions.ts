import { findTurns, type Transcript, type Turn } from '../../debate/index.ts';
import type { Opinion } from './answers.ts';

/** The turns of judges without a role: one alone, or those of the methods beside the debate. */
export function judgesIn(transcript: Transcript): Turn[] {
  return findTurns(transcript).filter(({ role }) => role === 'judge');
}

/** The last turn of each seat. */
export function lastOfEach(turns: readonly Turn[]): Turn[] {
  return [...new Map(turns.map((turn) => [turn.seat, turn])).values()];
}

/** Those who really spoke. */
export function heardOf(turns: readonly Turn[]): (Turn & { score: number })[] {
  return turns.filter((turn): turn is Turn & { score: number } => !turn.fallback && turn.score !== null);
}

/** A score is a vote: unsafe from one half. */
export function labelOf(score: number): 'safe' | 'unsafe' {
  return score >= 0.5 ? 'unsafe' : 'safe';
}

/** What most of the votes say; undecided when they are split. */
export function majorityOf(scores: readonly number[]): 'safe' | 'unsafe' | 'undecided' {
  const against = scores.filter((score) => labelOf(score) === 'unsafe').length * 2;
  return against === scores.length ? 'undecided' : against > scores.length ? 'unsafe' : 'safe';
}

export function meanOf(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

export function opinionOf(turn: Turn): Opinion {
  return turn.answer as Opinion;
}
