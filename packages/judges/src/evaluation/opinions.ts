import { findTurns, isTurnOf, keepLastOfSeats, type Transcript, type Turn } from '@agonhq/engine/debate';
import { criticKey, opinionKeys, type Critique, type ExchangeOpinion } from './answers.ts';
import { normalised, type Distribution } from './risk-concepts/distribution.ts';

const { auditor, detector, judge } = opinionKeys;

/** Every opinion that counts: of the two roles that debate, and of judges without a role. */
export function findOpinions(transcript: Transcript): Turn<ExchangeOpinion>[] {
  return findTurns(transcript, auditor, detector, judge);
}

export function isOpinion(turn: Turn): turn is Turn<ExchangeOpinion> {
  return [auditor, detector, judge].some((role) => isTurnOf(turn, role));
}

/** The last word of each seat that states opinions. */
export function findLastOpinions(transcript: Transcript): Turn<ExchangeOpinion>[] {
  return keepLastOfSeats(findOpinions(transcript));
}

export function findRoundOpinions(transcript: Transcript, round: number | null): Turn<ExchangeOpinion>[] {
  return findOpinions(transcript).filter((turn) => turn.round === round);
}

/** The critic's turn of a round, when it was heard. */
export function findRoundCritique(transcript: Transcript, round: number | null): Turn<Critique> | undefined {
  return findTurns(transcript, criticKey).find((turn) => turn.round === round && !turn.fallback);
}

/** What a seat stated, of sum one. */
export function readStatedDistribution({ answer }: Turn<ExchangeOpinion | Critique>): Distribution {
  return normalised(answer.distribution);
}
