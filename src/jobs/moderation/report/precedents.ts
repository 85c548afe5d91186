import { formatPercent, describeLabel } from '../../../view/index.ts';
import type { Precedent } from '../../../debate/index.ts';
import { block, html, inline, type Markup, code } from '../../../reports/index.ts';
import { exclusionLines, libraryProblem } from './exclusion-words.ts';
import { briefOf, type ModerationAnswer } from './moderation-answer.ts';
import { shownPrecedents } from './retrieval-words.ts';

/** The decided cases that the brief drew on: what is alike, and what differs. */
export function precedents(answer: ModerationAnswer): Markup {
  const problem = libraryProblem(answer);
  const excluded = exclusionLines(answer, (id) => id);
  const { shown, further } = shownPrecedents(answer);
  return html`${problem !== null && html`<p><b>The library of precedents is not well.</b> ${inline(problem)}</p>`}
  ${
    answer.precedents.length === 0
      ? html`<p class="absent">No precedent was found: the case was argued on its own.</p>`
      : html`<ul class="precedents">
          ${shown.map((precedent) => precedentCard(precedent, answer))}
        </ul>`
  }
  ${further !== null && html`<p class="small">${inline(further)}</p>`}
  ${
    excluded.length > 0 &&
    html`<ul class="bullets small">
      ${excluded.map((line) => html`<li>${inline(line)}</li>`)}
    </ul>`
  }`;
}

function precedentCard(precedent: Precedent, answer: ModerationAnswer): Markup {
  const cues = (briefOf(answer)?.cues ?? []).filter((cue) => cue.precedent === precedent.id);
  return html`<li class="card neutral">
    <header>
      <div>
        <h3>
          <span class="badge ${precedent.label === 'unsafe' ? 'risk' : 'exoneration'}"
            >${describeLabel(precedent.label).title}</span
          >
          ${code(precedent.id)}
        </h3>
        ${precedent.category !== null && html`<p class="small">${inline(precedent.category)}</p>`}
      </div>
      <p><b>${formatPercent(precedent.similarity)}</b> <span class="small">alike</span></p>
    </header>
    ${block(precedent.summary)}
    ${precedent.why !== undefined && html`<p class="small">Decided so because: ${inline(precedent.why)}</p>`}
    ${precedent.cues.length > 0 && html`<p class="small">Its cues: ${precedent.cues.map((cue, index) => html`${index > 0 && '; '}${inline(cue)}`)}</p>`}
    ${cues.map(
      (cue) =>
        html`<dl class="compare">
          <div>
            <dt>Alike</dt>
            <dd>${block(cue.cue)}</dd>
          </div>
          <div>
            <dt>Different</dt>
            <dd>${block(cue.difference)}</dd>
          </div>
        </dl>`,
    )}
  </li>`;
}
