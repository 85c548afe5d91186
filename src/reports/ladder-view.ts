import type { Ladder, Step } from '../view/index.ts';
import type { Citations } from './citations.ts';
import { block, html, type Markup } from './escape.ts';
import { quoteList } from './quotes.ts';

const states: Record<Step['state'], string> = {
  decided: 'Decided',
  passed: 'Checked, did not apply',
  'not-reached': 'Not reached',
  'not-checked': 'Not applied',
};

export function ladderView({ steps, outcome }: Ladder, citations: Citations): Markup {
  return html`<ol class="ladder">
      ${steps.map(
        (step) =>
          html`<li class="${step.state}" id="rule-${step.number}">
            <span class="rung" aria-hidden="true">${step.number}</span>
            <div>
              <header>
                <h3>${step.title}</h3>
                <span class="badge">${states[step.state]}</span>
              </header>
              <p class="question">${step.question}</p>
              <p>${step.explanation}</p>
              ${
                step.why &&
                html`<div class="finding">
                  <p class="kicker">The arbiter’s finding</p>
                  ${block(step.why)}
                </div>`
              }
              ${quoteList(step.evidence, citations)}
            </div>
          </li>`,
      )}
    </ol>
    ${
      outcome !== null &&
      html`<div class="card neutral outcome">
        <h3>None of these rules decided</h3>
        <p>${outcome}</p>
      </div>`
    }`;
}
