import { html, inline, type Markup } from '../../../reports/index.ts';
import { shortenName } from '../write-values.ts';

/** Drawn in the units of the view box; the page scales it. */
export const width = 500;

/** A drawing that says in words what it shows. */
export function labelled(
  title: string,
  description: readonly string[],
  height: number,
  body: readonly Markup[],
  across = width,
): Markup {
  return html`<svg
    class="chart"
    viewBox="0 0 ${across} ${height}"
    role="img"
    aria-label="${`${title}. ${description.join(' ')}`}"
  >
    ${body}
  </svg>`;
}

/** The same for drawings with a title and a description of their own, of any size. */
export function drawing(
  title: string,
  description: readonly string[],
  [across, down]: readonly [number, number],
  body: readonly Markup[],
): Markup {
  return html`<svg class="chart" viewBox="0 0 ${across} ${down}" role="img" aria-label="${title}">
    <desc>${description.join(' ')}</desc>
    ${body}
  </svg>`;
}

/** A place in a drawing: a tenth of a unit is less than anybody sees. */
export const at = (value: number): number => Math.round(value * 10) / 10;

/** What tells the series of a drawing apart: a colour and a dash, so that either is enough. */
export const seriesClass = (place: number): string => `tone-${place % 6} dash-${place % 5}`;

/** The legend of lines. */
export function lineLegend(series: readonly { name: string; note?: string }[]): Markup {
  return html`<span class="key"
    >${series.map(
      ({ name, note }, place) =>
        html`<span
          ><svg class="stroke ${seriesClass(place)}" viewBox="0 0 28 14" aria-hidden="true">
            <path class="curve" d="M1 7 H27" />
          </svg>
          ${inline(shortenName(name))}${note && html` <small>${note}</small>`}</span
        >`,
    )}</span
  >`;
}

export const shapes = ['circle', 'square', 'diamond'] as const;
export type Shape = (typeof shapes)[number];

export function mark(shape: Shape, x: number, y: number): Markup {
  if (shape === 'circle') return html`<circle class="mark" cx="${x}" cy="${y}" r="5" />`;
  if (shape === 'square') return html`<rect class="mark" x="${x - 4.5}" y="${y - 4.5}" width="9" height="9" />`;
  return html`<path class="mark" d="M${x} ${y - 7} L${x + 7} ${y} L${x} ${y + 7} L${x - 7} ${y} Z" />`;
}
