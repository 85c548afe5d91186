import { describeStop } from '../../../view/index.ts';
import type { Turn } from '../../../debate/index.ts';
import type { Policy } from '../../../policy/index.ts';
import { anchorTurn, type Citations, nameClauses, html, type Markup, turnCard } from '../../../reports/index.ts';
import {
  argumentOf,
  debateTurns,
  roundsOf,
  sideOf,
  stopsOf,
  type ModerationAnswer,
  type Side,
} from './moderation-answer.ts';

const parts: Record<Side, string> = { risk: 'Argues the risk', exoneration: 'Argues the benign reading' };

/** The two sides face to face, round by round: strict on the left, loose on the right. */
export function sides(answer: ModerationAnswer, citations: Citations, policy: Policy | undefined): Markup[] {
  const stops = stopsOf(answer.transcript);
  const card = (turn: Turn) => {
    const { concession, clauses } = argumentOf(turn);
    const side = sideOf(turn.role)!;
    return turnCard({
      turn,
      citations,
      concession,
      tone: side,
      anchor: anchorTurn(answer, turn),
      part: parts[side],
      clauses: nameClauses(clauses, policy),
      previous: debateTurns(answer).find((other) => other.seat === turn.seat && other.round === (turn.round ?? 1) - 1)
        ?.score,
    });
  };
  return roundsOf(answer).map(({ round, turns }) => {
    const columns = (['risk', 'exoneration'] as const)
      .map((side) => turns.filter((turn) => sideOf(turn.role) === side))
      .filter((column) => column.length > 0);
    return html`<h3>Round ${round}</h3>
      <div class="sides">${columns.map((column) => html`<div class="side">${column.map(card)}</div>`)}</div>
      ${stops.filter((stop) => stop.round === round).map((stop) => html`<p class="stop small">${describeStop(stop.reason)}</p>`)}`;
  });
}
