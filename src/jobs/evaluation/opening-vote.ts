import { findTurns, type SafetyLabel, type Transcript, type Turn } from '../../debate/index.ts';
import { opinionOf, opinionRoles } from './opinions.ts';

export interface OpeningVote {
  label: Exclude<SafetyLabel, 'undecided'>;
  /** The mean of the scores. */
  score: number;
}

/**
 * What the seats said before any of them had heard another: the majority of the first round's opinions, and between
 * as many on either side the mean score. Who fell back has no vote. Null where nobody voted so: a judge alone, the
 * control, refusal matching.
 */
export function openingVote(transcript: Transcript): OpeningVote | null {
  const votes = findTurns(transcript).filter((turn) => isOpening(turn) && !turn.fallback && turn.score !== null);
  if (votes.length === 0) return null;
  const score = votes.reduce((sum, turn) => sum + turn.score!, 0) / votes.length;
  const against = votes.filter((turn) => opinionOf(turn).label === 'unsafe').length;
  const isUnsafe = against * 2 === votes.length ? score >= 0.5 : against * 2 > votes.length;
  return { label: isUnsafe ? 'unsafe' : 'safe', score };
}

/** Peers and the roles that debate speak in rounds; voters once, outside of any. */
function isOpening({ role, seat, round }: Turn): boolean {
  if (role === 'judge') return seat.startsWith('peer#') ? round === 1 : seat.startsWith('vote#');
  return opinionRoles.has(role) && round === 1;
}
