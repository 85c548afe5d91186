import { findPassages, formatCount, shortenQuote, type Citations, type PassageWords } from '../view/index.ts';
import type { Observation } from '../debate/index.ts';
import type { Source } from '../evidence/index.ts';
import { html, inline, withChips, type Markup, type HtmlPart } from './escape.ts';
import { highlight } from './highlight.ts';
import { code } from './parts.ts';
import { passageLink } from './quotes.ts';

/** A text that was judged, with its quoted passages marked. */
export function sourceCard(
  source: Source,
  citations: Citations,
  { title = inline(source.id), style = '' }: { title?: HtmlPart; style?: string } = {},
): Markup {
  return html`<div class="content ${style}">
    <h3>${title}<span class="small"> ${formatCount(source.text.length)} characters, as judged</span></h3>
    ${highlight(source.text, findPassages(citations, source))}
  </div>`;
}

export function observationCard(observation: Observation, citations: Citations): Markup {
  return html`<div class="content observation">
    <h3><span class="badge">Observation</span> ${inline(observation.id)}</h3>
    <p class="small">${originOf(observation)}${observation.note !== undefined && html` ${inline(observation.note)}`}</p>
    ${highlight(observation.text, findPassages(citations, observation))}
  </div>`;
}

function originOf({ of, tool }: Observation): Markup {
  if (tool === 'given') return html`A description given in place of ${inline(of)}.`;
  if (tool === 'image-models') return html`What the embedded image models say of ${inline(of)}.`;
  if (tool === 'transcript') return html`What is said in ${inline(of)}.`;
  if (tool === 'silence') return html`What is heard in ${inline(of)}: nothing that can be quoted.`;
  if (tool === 'unreadable') return html`A passage of ${inline(of)} that nobody could read.`;
  if (tool === 'placeholder') return html`A placeholder for ${inline(of)}: it cannot be quoted.`;
  return html`Not the content’s own words: extracted from ${inline(of)} by the tool ${code(tool)}.`;
}

/** Every quoted passage with everybody who quotes it. */
export function passageList(citations: Citations, { names, legend }: PassageWords): Markup | null {
  if (citations.passages.length === 0) return null;
  return html`<div class="passages">
    <h3>Quoted passages</h3>
    <p class="small legend-line">${legend.map(([side, words]) => html`<mark class="${side}">${words}</mark> `)}</p>
    <ol class="quotes">
      ${citations.passages.map(
        (passage) =>
          html`<li>
            ${passageLink(passage.number)}
            <div>
              <q class="quote" dir="auto" lang="">${withChips(shortenQuote(passage.quote))}</q>
              <p class="small">
                ${passage.quoters.map(
                  (quoter, index) =>
                    html`${index > 0 && ' · '}<a href="#${quoter.anchor}">${inline(quoter.speaker)}</a
                      >${names[quoter.side] !== undefined && ` (${names[quoter.side]})`}`,
                )}
              </p>
            </div>
          </li>`,
      )}
    </ol>
  </div>`;
}
