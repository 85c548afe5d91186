import type { Until } from './protocol.ts';
import type { Reasoner } from './reasoner.ts';
import { findTurns } from './transcript.ts';

/** Below the engine's own cap on turns. */
export const mostVotes = 150;

/**
 * When a control has cast its votes: when another as dear as those before would go over the tokens of the debate it
 * is held against. Votes without tokens, of reasoners that need none or cannot be reached, are at most as many as the
 * debate has turns; and so are all of them where nobody says what the debate spent.
 */
export function votesCast({ tokens, turns }: { tokens: number | null | undefined; turns: number }): Until {
  const budget = tokens ?? null;
  return (transcript) => {
    const costs = findTurns(transcript).map(({ usage }) => usage.inputTokens + usage.outputTokens);
    const paid = costs.filter((cost) => cost > 0);
    const free = budget === null ? costs.length : costs.length - paid.length;
    if (free >= turns) return 'votes-cast';
    const used = paid.reduce((sum, cost) => sum + cost, 0);
    return budget !== null && paid.length > 0 && used + used / paid.length > budget ? 'tokens-spent' : undefined;
  };
}

/** One seat that a different model of the panel fills in each round. */
export function takingTurns(panel: readonly Reasoner[]): Reasoner {
  return {
    id: [...new Set(panel.map(({ id }) => id))].join(', '),
    fingerprint: JSON.stringify(panel.map(({ fingerprint }) => fingerprint)),
    vision: false,
    answer: (role, question, options) =>
      panel[((question.round ?? 1) - 1) % panel.length]!.answer(role, question, options),
  };
}
