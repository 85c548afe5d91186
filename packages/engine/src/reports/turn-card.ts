import { describeFailure, nameSeat, formatScore, type RiskView } from '../view/index.ts';
import type { Turn } from '../debate/index.ts';
import type { Citations } from '../view/index.ts';
import type { NamedClause } from '../view/name-clauses.ts';
import { block, html, inline, type Markup, type HtmlPart } from './escape.ts';
import { clauseChips, code, riskMeter, scoreBar } from './parts.ts';
import { quoteList } from './quotes.ts';

export interface TurnCard {
  turn: Turn;
  anchor: string;
  citations: Citations;
  /** What colours the card: the side it argues, or its role. */
  tone?: string | undefined;
  /** How the seat is called; by default after its id. */
  name?: string;
  /** What the seat argues, in a few words. */
  part?: string | undefined;
  concession?: string | null;
  clauses?: readonly NamedClause[];
  /** How risky the seat finds it; where that is null, its score is shown as it is. */
  risk?: RiskView | null;
  /** The seat's score or risk a round ago, as it was shown. */
  previous?: string | undefined;
  /** Where the seat stands, in place of its score, in a word and in a line. */
  standing?: { word: HtmlPart; line: HtmlPart };
  extra?: HtmlPart;
}

/** One turn of any debate: who spoke, what they said, on what evidence, and what went wrong. */
export function turnCard({
  turn,
  anchor,
  citations,
  tone,
  name,
  part,
  concession,
  clauses,
  risk = null,
  previous,
  standing,
  extra,
}: TurnCard): Markup {
  const shown = risk?.text ?? formatScore(turn.score);
  const score =
    turn.score !== null &&
    html`<div class="standing">
      ${risk ? riskMeter(risk) : scoreBar(turn.score)}${
        previous !== undefined && previous !== shown && html`<span class="small">was ${previous}</span>`
      }
    </div>`;
  const heading = html`<div>
    <h4>${inline(name ?? nameSeat(turn.seat))}</h4>
    <p class="small">${part && html`${part}<br />`}${code(turn.reasoner)}</p>
  </div>`;
  const unheard =
    turn.fallback &&
    html`<p class="notice">
      <strong>Fallback.</strong> This seat gave no usable answer: ${inline(describeFailure(turn.fallback.reason))}.
      ${inline(turn.fallback.detail)}
    </p>`;
  return html`<article class="card ${tone ?? 'neutral'}${turn.fallback && ' stand-in'}" id="${anchor}">
<header${standing && html` class="in-a-word"`}>${heading}
${standing ? html`<div class="standing">${standing.word}</div>` : score}</header>
${standing?.line}
${unheard}
${turn.statement !== '' && block(turn.statement)}
${concession && html`<div class="concession"><strong class="badge">Concedes</strong>${block(concession)}</div>`}
${quoteList(turn.evidence, citations)}
${clauses && clauseChips(clauses)}
${extra}
${
  turn.notes &&
  turn.notes.length > 0 &&
  html`<ul class="notes small">
    ${turn.notes.map((note) => html`<li>${inline(note)}</li>`)}
  </ul>`
}
</article>`;
}
