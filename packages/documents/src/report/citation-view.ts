import type { NumberFinding, NumberPlace } from '../index.ts';
import type { Evidence } from '@agonhq/engine/evidence';
import { shortenQuote } from '@agonhq/engine/view';
import { html, inline, withChips, type Markup, passageLink } from '@agonhq/engine/reports';
import type { CitedPassage } from '@agonhq/engine/view';
import type { DocumentCitations } from './document-citations.ts';

/** A list of quotations: each leads to its place in the dossier, or is struck through with the reason. */
export function evidenceList(
  evidence: readonly Evidence[],
  citations: DocumentCitations,
  numbers: readonly NumberFinding[],
): Markup | null {
  if (evidence.length === 0) return null;
  return html`<ul class="quotes">
    ${evidence.map((quoted) => html`<li>${citation(quoted, citations, numbers)}</li>`)}
  </ul>`;
}

function citation(evidence: Evidence, citations: DocumentCitations, numbers: readonly NumberFinding[]): Markup {
  const quote = withChips(shortenQuote(evidence.quote));
  if (!evidence.verified) {
    return html`<span class="number-tag" aria-hidden="true">✕</span>
      <div>
        <s class="quote" dir="auto" lang="">${quote}</s>
        <p class="small struck">Struck: this is not in the dossier, so it decides nothing.</p>
      </div>`;
  }
  const cited = citations.citedBy(evidence, numbers);
  const told = cited?.grounding.told;
  // What code told is no quotation of the document.
  return html`${passageLink(cited?.number)}
    <div>
      ${
        told
          ? html`<span class="quote" dir="auto" lang="">${quote}</span>`
          : html`<q class="quote" dir="auto" lang="">${quote}</q>`
      }
      <p class="small">
        ${
          cited
            ? html`${told === 'row' && 'A row written as a sentence: '}${told === 'numbers' && 'A number check of '}${inline(
                cited.where,
              )}`
            : html`in ${inline(evidence.source)}`
        }
      </p>
    </div>`;
}

/** Links to places, each by the words that stand there. */
export function placeLinks(places: readonly NumberPlace[], citations: DocumentCitations): Markup {
  return html`<ul class="places">
    ${places.map((place) => html`<li>${placeLink(place, citations)}</li>`)}
  </ul>`;
}

export function placeLink(place: NumberPlace, citations: DocumentCitations): Markup {
  const cited = citations.citedBy(place);
  if (!cited) return html`<span class="absent">a place that is not in the dossier</span>`;
  const { grounding, number, where } = cited;
  return html`${passageLink(number)}<span
      ><bdi class="cited" lang="">${withChips(shortenQuote(grounding.quote))}</bdi>
      <span class="small">${inline(where)}</span></span
    >`;
}

/** Only the numbers of places. */
export function markLinks(
  cited: readonly (Evidence | NumberPlace)[],
  citations: DocumentCitations,
  numbers: readonly NumberFinding[],
): Markup | null {
  const marks = [...new Set(cited.flatMap((one) => citations.citedBy(one, numbers)?.number ?? []))];
  return marks.length === 0 ? null : html`${marks.map((number) => html` ${passageLink(number)}`)}`;
}

const mostLinks = 8;

/** The way back from a mark to everybody who cites it: the number leads to the first, letters to the others. */
export function backLinks({ number, quoters }: CitedPassage): Markup {
  const [first, ...others] = quoters;
  const shown = others.slice(0, mostLinks);
  const link = (anchor: string, speaker: string, words: string) =>
    html`<a href="#${anchor}" title="${speaker}" aria-label="Passage ${number}: ${speaker}">${words}</a>`;
  return html`<sup class="reference" id="mark-${number}"
    >${link(first!.anchor, first!.speaker, String(number))}${shown.map(({ anchor, speaker }, index) =>
      link(anchor, speaker, String.fromCharCode(97 + index)),
    )}</sup
  >`;
}
