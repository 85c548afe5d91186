import { formatScore } from '../../../view/index.ts';
import type { Turn } from '../../../debate/index.ts';
import { html, inline, type Markup, type Part, code, table } from '../../../reports/index.ts';
import { stanceOf } from './readable-answer.ts';
import { tallyWords } from './rounds.ts';
import { known, seatOfRound } from './words.ts';

/** Who voted how, and how the votes stand. */
export function votesView(votes: readonly Turn[]): Markup {
  return html`${table(
    'The votes',
    ['Seat', 'Model', 'Vote', 'What the model did', 'Risk'],
    votes.map((turn): Part[] => {
      const { label, behaviour } = stanceOf(turn);
      return [
        inline(seatOfRound(turn)),
        code(turn.reasoner),
        label === null ? 'not heard' : html`<strong>${inline(label)}</strong>`,
        label === null ? '' : inline(known.behaviour(behaviour)),
        turn.fallback ? '' : formatScore(turn.score),
      ];
    }),
    new Set([4]),
  )}
  ${votes.length > 1 && html`<p class="tally">${tallyWords(votes)}</p>`}`;
}
