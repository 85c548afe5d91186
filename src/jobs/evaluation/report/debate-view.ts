import { formatScore } from '../../../view/index.ts';
import { findTurns, type Turn } from '../../../debate/index.ts';
import type { Distribution } from '../index.ts';
import type { Policy } from '../../../policy/index.ts';
import {
  anchorTurn,
  type Citations,
  nameClauses,
  block,
  html,
  inline,
  type Markup,
  turnCard,
  type TurnCard,
} from '../../../reports/index.ts';
import { stanceOf, type Objection, type ReadableAnswer } from './readable-answer.ts';
import { titleOf, type Round } from './rounds.ts';
import { known, methodOf, partOf, seatName, seatOfRound, stopOf } from './words.ts';

/**
 * The debate round by round: those who look for explicit risks beside those who look for implicit ones, then the
 * critic.
 */
export function debateView(
  answer: ReadableAnswer,
  rounds: readonly Round[],
  citations: Citations,
  policy: Policy | undefined,
): Markup {
  const turns = findTurns(answer.transcript);
  const card = (turn: Turn): Markup => {
    const stance = stanceOf(turn);
    const before = turns.slice(0, turns.indexOf(turn)).findLast((other) => other.seat === turn.seat && !other.fallback);
    return turnCard({
      turn,
      citations,
      anchor: anchorTurn(answer, turn),
      part: partOf(turn.role),
      name: turn.seat === 'control' ? seatOfRound(turn) : seatName(turn.seat),
      tone: toneOf(turn.role),
      standing: standing(turn, before && methodOf(answer) !== 'control' ? stanceOf(before).label : null),
      clauses: nameClauses(stance.clauses, policy),
      extra: html`${stance.behaviour !== null && html`<p class="small">What the model did: ${inline(known.behaviour(stance.behaviour).toLowerCase())}</p>`}${objections(turn, stance.objections)}`,
    });
  };
  return html`${rounds.map(
    (round) =>
      html`${round.round !== null && html`<h3>${titleOf(round)}</h3>`}
      ${columnsOf(round.turns).map((columns) => html`<div class="sides">${columns.map((column) => html`<div class="side">${column.map(card)}</div>`)}</div>`)}
      ${round.turns.filter(({ role }) => role === 'critic').map((turn) => html`<div class="critique">${card(turn)}</div>`)}
      ${round.stop !== null && html`<p class="stop small">${stopOf(round.stop)}</p>`}`,
  )}
  ${rounds.length > 0 && rounds.every(({ round, stop }) => round !== null && stop === null) && html`<p class="stop small">All ${rounds.length} rounds were argued.</p>`}`;
}

/** Roles face to face; judges without a role one beside the other, as many as fit. */
function columnsOf(turns: readonly Turn[]): (readonly Turn[])[][] {
  const debaters = turns.filter(({ role }) => role !== 'critic');
  if (debaters.length === 0) return [];
  const roles = ['auditor', 'detector']
    .map((role) => debaters.filter((turn) => turn.role === role))
    .filter((column) => column.length > 0);
  const others = debaters.filter(({ role }) => role !== 'auditor' && role !== 'detector').map((turn) => [turn]);
  return [[...roles, ...others]];
}

function toneOf(role: string): string {
  return ['auditor', 'detector', 'critic'].includes(role) ? role : 'neutral';
}

/** Where a seat stands: its label, what it was before, and how it spreads the risk. */
function standing(turn: Turn, before: string | null): TurnCard['standing'] {
  const { label, distribution } = stanceOf(turn);
  if (turn.fallback) return { word: html`<span class="badge">not heard</span>`, line: null };
  const side = label === 'unsafe' ? 'risk' : label === 'safe' ? 'exoneration' : '';
  return {
    word: html`${label !== null && html`<span class="badge ${side}">${inline(label)}</span>`}${before !== null && label !== null && before !== label && html`<span class="small">was ${inline(before)}</span>`}`,
    line: distribution && distributionBar(distribution),
  };
}

/** A distribution as a bar of three parts, with its numbers. */
function distributionBar({ explicit, implicit, none }: Distribution): Markup {
  const width = (share: number) => Math.round(share * 100);
  return html`<div class="distribution">
    <div class="shares" aria-hidden="true">
      <span class="explicit" style="width:${width(explicit)}%"></span
      ><span class="implicit" style="width:${width(implicit)}%"></span
      ><span class="none" style="width:${width(none)}%"></span>
    </div>
    <p class="small">
      explicit ${formatScore(explicit)} · implicit ${formatScore(implicit)} · none ${formatScore(none)}
    </p>
  </div>`;
}

function objections(turn: Turn, raised: readonly Objection[]): Markup | null {
  if (turn.role !== 'critic' || turn.fallback) return null;
  if (raised.length === 0) return html`<p class="small">No objection.</p>`;
  return html`<div>
    <p class="kicker">Objections</p>
    <ul class="objections">
      ${raised.map(
        ({ to, kind, point, material }) =>
          html`<li>
            <p>
              <strong>${inline(known.objection(kind))}</strong>, to the ${inline(to)}
              <span class="badge${material && ' material'}">${material ? 'material' : 'minor'}</span>
            </p>
            ${block(point)}
          </li>`,
      )}
    </ul>
  </div>`;
}
