import {
  isObservation,
  findTurns,
  type Observation,
  type Stop,
  type Transcript,
  type Turn,
} from '../../../debate/index.ts';
import type { Argument, Brief, Findings, ModerationAnswer } from '../index.ts';

export type { ModerationAnswer };

/** Who argues which side of the case. */
export type Side = 'risk' | 'exoneration';

export function sideOf(role: string): Side | undefined {
  if (role === 'strict-debater') return 'risk';
  return role === 'loose-debater' ? 'exoneration' : undefined;
}

export const argumentOf = (turn: Turn): Argument => turn.answer as Argument;

export function debateTurns(answer: ModerationAnswer): Turn[] {
  return findTurns(answer.transcript).filter((turn) => sideOf(turn.role) !== undefined);
}

/** The debaters' turns, round by round. */
export function roundsOf(answer: ModerationAnswer): { round: number; turns: Turn[] }[] {
  const turns = debateTurns(answer);
  const rounds = [...new Set(turns.map((turn) => turn.round ?? 1))].sort((a, b) => a - b);
  return rounds.map((round) => ({ round, turns: turns.filter((turn) => (turn.round ?? 1) === round) }));
}

export function stopsOf(transcript: Transcript): Stop[] {
  return transcript.filter((entry) => entry.kind === 'stop');
}

export function arbiterTurn(answer: ModerationAnswer): Turn | undefined {
  return findTurns(answer.transcript).findLast((turn) => turn.role === 'arbiter');
}

/** What the arbiter found under each rule; nothing when it was not heard. */
export function findingsOf(answer: ModerationAnswer): Findings | undefined {
  const turn = arbiterTurn(answer);
  return turn && !turn.fallback ? (turn.answer as Findings) : undefined;
}

export function supporterTurn(answer: ModerationAnswer): Turn | undefined {
  return findTurns(answer.transcript).findLast((turn) => turn.role === 'supporter');
}

export function briefOf(answer: ModerationAnswer): Brief | undefined {
  const turn = supporterTurn(answer);
  return turn && !turn.fallback ? (turn.answer as Brief) : undefined;
}

/** The observations of an image, and those that were drawn from them in turn. */
export function observationsOf(answer: ModerationAnswer, image: string): Observation[] {
  return answer.sources.filter(isObservation).filter(({ of }) => of === image || of.startsWith(`${image}/`));
}
