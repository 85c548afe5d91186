import type { Evidence } from '../evidence/index.ts';
import { formatSpan, nameMoment, shortenQuote, type Citations } from '../view/index.ts';
import { html, inline, withChips, type Markup } from './escape.ts';

/** A list of quotations: each with its place in the source, or struck through with the reason. */
export function quoteList(evidence: readonly Evidence[], citations: Citations): Markup | null {
  if (evidence.length === 0) return null;
  return html`<ul class="quotes">
    ${evidence.map((quoted) => html`<li>${quotation(quoted, citations)}</li>`)}
  </ul>`;
}

function quotation(evidence: Evidence, citations: Citations): Markup {
  if (!evidence.verified) {
    return html`<span class="number-tag" aria-hidden="true">✕</span>
      <div>
        <s class="quote" dir="auto" lang="">${withChips(shortenQuote(evidence.quote))}</s>
        <p class="small struck">Struck: this is in no source, so it decides nothing.</p>
      </div>`;
  }
  return html`${passageLink(citations.numberOf(evidence))}
    <div>
      <q class="quote" dir="auto" lang="">${withChips(shortenQuote(evidence.quote))}</q>
      <p class="small">
        in
        ${inline(evidence.source)}${evidence.moment && html`, at <a href="#${nameMoment(evidence.moment)}">${formatSpan(evidence.moment)}</a>`}
      </p>
    </div>`;
}

/** The way back from a quotation to its place in the content. */
export function passageLink(number: number | undefined): Markup {
  if (number === undefined) return html`<span class="number-tag" aria-hidden="true">–</span>`;
  return html`<a class="number-tag" href="#mark-${number}" aria-label="Passage ${number} in the content">${number}</a>`;
}
