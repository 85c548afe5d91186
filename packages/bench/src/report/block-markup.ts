import { html, type Markup, code, inline } from '@agonhq/engine/reports';
import type { BenchBlock, BlockCell, ItemName, BlockTable, Chart } from './block.ts';
import { shortenName } from './write-values.ts';
import { drawBars } from './charts/bars.ts';
import { drawCurves, drawReliability } from './charts/unit-square.ts';
import { drawLines } from './charts/lines.ts';
import { drawScatter } from './charts/scatter.ts';
import { drawTrajectory } from './charts/trajectory.ts';
import { shortenCharacters } from '@agonhq/engine/text';

/** Where an item is on the page; null when the page does not show it. */
export type LinkOf = (item: ItemName) => string | null;

/** A table that scrolls by itself where the page is narrow, and that the page's script can sort. */
function tableToHtml(label: string, { head, rows }: BlockTable, linkOf: LinkOf = () => null): Markup {
  const cells = (row: readonly BlockCell[]) =>
    row.map((cell, column) =>
      column === 0
        ? html`<th scope="row" ${attributes(cell, head[column])}>${cellToHtml(cell, linkOf)}</th>`
        : html`<td${attributes(cell, head[column])}>${cellToHtml(cell, linkOf)}</td>`,
    );
  const titles = head.map(
    (title) => html`<th scope="col" ${title.number && html` class="number"`}>${cellToHtml(title, linkOf)}</th>`,
  );
  const lines = rows.map(
    (row) =>
      html`<tr>
        ${cells(row)}
      </tr> `,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table ${rows.length > 1 && html`class="sorts"`}>
      <thead>
        <tr>
          ${titles}
        </tr>
      </thead>
      <tbody>
        ${lines}
      </tbody>
    </table>
  </div>`;
}

/* What is on one line anyway, and would not look well on two. */
const isBrief = ({ text, items }: BlockCell) => text.length <= 24 && !items;

function attributes(cell: BlockCell, head: BlockCell | undefined): Markup {
  const { number, sort, shade } = cell;
  const kind = (number ?? head?.number) ? html` class="number"` : isBrief(cell) && html` class="brief"`;
  const sorted = sort !== undefined && html` data-sort="${sort === null ? '' : String(sort)}"`;
  const ground = shade !== undefined && Math.round(Math.min(1, Math.max(0, shade * 2)) * 36);
  return html`${kind}${sorted}${ground !== false && html` style="--shade:${ground}%"`}`;
}

export function cellToHtml(
  { text, name, emphasis, detail, mark, items }: BlockCell,
  linkOf: LinkOf = () => null,
): Markup {
  const brief = shortenCharacters(text, 400);
  const words = name === 'title' ? inline(brief) : name ? code(brief) : text;
  const shown = html`${words}${mark && html`<span class="mark-of">${mark}</span>`}`;
  const listed = items?.map((item, place) => {
    const note = item.note !== undefined && html` <small>${item.note}</small>`;
    return html`${place > 0 && ', '}${itemLink(item, linkOf)}${note}`;
  });
  const small = detail !== undefined && html` <small>${detail}</small>`;
  return html`${emphasised(shown, emphasis)}${small}${listed && html`${text !== '' && ' '}${listed}`}`;
}

function itemLink(item: ItemName, linkOf: LinkOf): Markup {
  const address = linkOf(item);
  const name = code(shortenName(item.name));
  return address === null ? name : html`<a href="#${address}">${name}</a>`;
}

function emphasised(shown: Markup, emphasis: BlockCell['emphasis']): Markup {
  if (emphasis === 'best') return html`<b>${shown}</b>`;
  if (emphasis === 'second') return html`<u>${shown}</u>`;
  return emphasis === 'breach'
    ? html`<strong class="breach">${shown} <span role="img" aria-label="reaches the threshold">⚑</span></strong>`
    : shown;
}

export interface BlockPlace {
  /** What tells its table from one of the same title elsewhere on the page. */
  of?: string;
  linkOf?: LinkOf;
}

/** A table or figure with what is said around it. */
export function blockToHtml(
  { title, lead, table, folded = false, chart, charts = [], notes = [], missing }: BenchBlock,
  { of, linkOf }: BlockPlace = {},
): Markup {
  const drawn = [...(chart ? [chart] : []), ...charts].map(drawChart);
  const label = of === undefined ? title : `${title}, ${of}`;
  return html`${lead !== '' && html`<p class="lead-in">${lead}</p>`}
  ${missing && html`<p class="absent">${missing}</p>`}
  ${drawn.length > 1 ? html`<div class="charts${drawn.length > 2 && ' many'}">${drawn}</div>` : drawn}
  ${
    table &&
    (folded
      ? html`<details class="folded">
          <summary>Show the table</summary>
          ${tableToHtml(label, table, linkOf)}
        </details>`
      : tableToHtml(label, table, linkOf))
  }
  ${notes.map((note) => html`<p class="small">${note}</p>`)}`;
}

function drawChart(chart: Chart): Markup {
  switch (chart.kind) {
    case 'bars':
      return drawBars(chart);
    case 'lines':
      return drawLines(chart);
    case 'curves':
      return drawCurves(chart);
    case 'reliability':
      return drawReliability(chart);
    case 'scatter':
      return drawScatter(chart);
    case 'trajectory':
      return drawTrajectory(chart);
  }
}
