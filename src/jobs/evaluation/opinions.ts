import { findTurns, type Transcript, type Turn } from '../../debate/index.ts';
import type { Critique, Opinion } from './answers.ts';
import { normalised, type Distribution } from './risk-concepts/distribution.ts';

/**
 * The roles whose opinions count: the two that debate, and a judge without a role in the evaluators beside the
 * debate.
 */
export const opinionRoles: ReadonlySet<string> = new Set(['auditor', 'detector', 'judge']);

/** The last word of each seat that states opinions. */
export function lastOpinions(transcript: Transcript): Turn[] {
  return lastOfEach(findTurns(transcript).filter(({ role }) => opinionRoles.has(role)));
}

/** The last turn of each seat in which it really spoke. */
export function heardOpinions(transcript: Transcript): Turn[] {
  return lastOfEach(findTurns(transcript).filter(({ role, fallback }) => opinionRoles.has(role) && !fallback));
}

export function opinionsOfRound(transcript: Transcript, round: number | null): Turn[] {
  return findTurns(transcript).filter((turn) => turn.round === round && opinionRoles.has(turn.role));
}

/** The critic's turn of a round, when it was heard. */
export function critiqueOfRound(transcript: Transcript, round: number | null): Turn | undefined {
  return findTurns(transcript).find((turn) => turn.role === 'critic' && turn.round === round && !turn.fallback);
}

export function opinionOf(turn: Turn): Opinion {
  return turn.answer as Opinion;
}

export function critiqueOf(turn: Turn): Critique {
  return turn.answer as Critique;
}

/** What a seat stated, of sum one. */
export function distributionOf(turn: Turn): Distribution {
  return normalised((turn.answer as Opinion | Critique).distribution);
}

function lastOfEach(turns: readonly Turn[]): Turn[] {
  return [...new Map(turns.map((turn) => [turn.seat, turn])).values()];
}
