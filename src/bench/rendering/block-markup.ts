import { html, type Markup } from '../../reports/index.ts';
import type { Block } from './block.ts';
import { chartOf } from './charts/chart-of.ts';
import { tableMarkup, type LinkOf } from './table-markup.ts';

export interface BlockPlace {
  /** What tells its table from one of the same title elsewhere on the page. */
  of?: string;
  linkOf?: LinkOf;
}

/** A table or figure with what is said around it. */
export function blockBody(
  { title, lead, table, folded = false, chart, charts = [], notes = [], missing }: Block,
  { of, linkOf }: BlockPlace = {},
): Markup {
  const drawn = [...(chart ? [chart] : []), ...charts].map(chartOf);
  const label = of === undefined ? title : `${title}, ${of}`;
  return html`${lead !== '' && html`<p class="lead-in">${lead}</p>`}
  ${missing && html`<p class="absent">${missing}</p>`}
  ${drawn.length > 1 ? html`<div class="charts${drawn.length > 2 && ' many'}">${drawn}</div>` : drawn}
  ${
    table &&
    (folded
      ? html`<details class="folded">
          <summary>Show the table</summary>
          ${tableMarkup(label, table, linkOf)}
        </details>`
      : tableMarkup(label, table, linkOf))
  }
  ${notes.map((note) => html`<p class="small">${note}</p>`)}`;
}
