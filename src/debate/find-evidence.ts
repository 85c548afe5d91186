import { verifyQuotes, type Evidence, type Source } from '../evidence/index.ts';
import type { RoleReader } from './role.ts';
import type { Turn } from './transcript.ts';

/**
 * The evidence for some of the quotes of a turn, among some of the sources, without what was struck. Quotes were checked
 * when the turn was taken; only one whose first place is not among these sources is looked for again.
 *
 * @example findEvidence(turn, arbiter, turn.answer.risk.evidence, caseFile.sources)
 */
export function findEvidence<Answer>(
  turn: Turn<Answer>,
  role: RoleReader<Answer>,
  quotes: readonly string[],
  sources: readonly Source[],
): Evidence[] {
  const stated = role.read(turn.answer).quotes;
  return quotes.flatMap((quote): Evidence[] => {
    const checked = turn.evidence[stated.indexOf(quote)];
    if (!checked?.verified) return [];
    if (sources.some(({ id }) => id === checked.source)) return [checked];
    return verifyQuotes([quote], sources).filter(({ verified }) => verified);
  });
}
