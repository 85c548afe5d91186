import { html, withChips, type Markup, type HtmlPart } from './escape.ts';

/** A section of a report with its heading. */
export function section(title: string, lead: HtmlPart, body: HtmlPart): Markup {
  return html`<section>
    <h2>${title}</h2>
    ${lead && html`<p class="lead">${lead}</p>`}${body}
  </section>`;
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
