import { formatScore, type RiskView } from '../view/index.ts';
import type { NamedClause } from '../view/name-clauses.ts';
import { html, inline, withChips, type Markup, type HtmlPart } from './escape.ts';

/** A section of a report with its heading. */
export function section(title: string, lead: HtmlPart, body: HtmlPart): Markup {
  return html`<section>
    <h2>${title}</h2>
    ${lead && html`<p class="lead">${lead}</p>`}${body}
  </section>`;
}

/** A score from 0 to 1 as a number and a bar. */
export function scoreBar(value: number | null): Markup {
  if (value === null) return html`<span class="score">no score</span>`;
  const width = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return html`<span class="score"
    ><b>${formatScore(value)}</b><span class="bar" aria-hidden="true"><span style="width:${width}%"></span></span
  ></span>`;
}

/** A risk as a number and a meter with a mark at its bar: red from there on, green below. */
export function riskMeter(risk: RiskView | null): Markup {
  if (risk === null) return html`<span class="score">no risk stated</span>`;
  const { value, bar, text, barText, isAbove } = risk;
  const place = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 100);
  return html`<span class="score ${isAbove ? 'above' : 'below'}"
    ><b>${text}</b
    ><span class="bar" aria-hidden="true"
      ><span style="width:${place(value)}%"></span><i style="left:${place(bar)}%"></i></span
    ><span class="small">${isAbove ? 'reaches' : 'below'} the bar of ${barText}</span></span
  >`;
}

export function clauseChips(clauses: readonly NamedClause[]): Markup | null {
  if (clauses.length === 0) return null;
  return html`<ul class="clauses">
    ${clauses.map(({ title, text }) => {
      const words = text !== null && html`<span class="small"> ${inline(text)}</span>`;
      return html`<li>${inline(title)}${words}</li>`;
    })}
  </ul>`;
}

/** A short machine word: an id, a hash, a model. */
export function code(text: string): Markup {
  return html`<code><bdi lang="">${withChips(text)}</bdi></code>`;
}

/** A table that scrolls by itself where the page is narrow. */
export function table(
  label: string,
  head: readonly HtmlPart[],
  rows: readonly (readonly HtmlPart[])[],
  numberColumns: ReadonlySet<number> = new Set(),
): Markup {
  const style = (column: number) => (numberColumns.has(column) ? html` class="number"` : null);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head.map((cell, column) => html`<th scope="col" ${style(column)}>${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, column) =>
                column === 0 ? html`<th scope="row">${cell}</th>` : html`<td${style(column)}>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
