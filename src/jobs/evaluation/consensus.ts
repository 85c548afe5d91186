import { findTurns, type Transcript, type Turn, type Until } from '../../debate/index.ts';
import { critiqueOf, critiqueOfRound, distributionOf, opinionOf, opinionsOfRound } from './opinions.ts';
import { jensenShannon } from './risk-concepts/distribution.ts';

/**
 * Nothing is left to argue: everybody was heard in this round, all labels agree, all distributions lie within the
 * bound of each other, and the critic raises no material objection.
 */
export function consensus(bound: number): Until {
  return (transcript) => {
    const round = latestRound(transcript);
    const critic = critiqueOfRound(transcript, round);
    const quiet = critic !== undefined && !critiqueOf(critic).objections.some(({ material }) => material);
    return quiet && agree(opinionsOfRound(transcript, round), bound) ? 'consensus' : undefined;
  };
}

/** The same among peers, who have no critic. */
export function unanimity(bound: number): Until {
  return (transcript) => (agree(opinionsOfRound(transcript, latestRound(transcript)), bound) ? 'consensus' : undefined);
}

function latestRound(transcript: Transcript): number | null {
  return findTurns(transcript).at(-1)?.round ?? null;
}

function agree(opinions: readonly Turn[], bound: number): boolean {
  if (opinions.some(({ fallback }) => fallback) || new Set(opinions.map((turn) => opinionOf(turn).label)).size !== 1)
    return false;
  const stated = opinions.map(distributionOf);
  return stated.every((one, index) => stated.slice(index + 1).every((other) => jensenShannon(one, other) <= bound));
}
