import { html, inline, type Markup } from '@agonhq/engine/reports';
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

export function figure(caption: Markup, drawn: Markup): Markup {
  return html`<figure class="plot">
    <figcaption>${caption}</figcaption>
    ${drawn}
  </figure>`;
}

/** A place in a drawing: a tenth of a unit is less than anybody sees. */
export const at = (value: number): number => Math.round(value * 10) / 10;

/** Where a drawing shows its values. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const axisText = (x: number, y: number, anchor: 'middle' | 'end', text: string | number): Markup =>
  html`<text class="axis" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;

export const gridLine = (path: string): Markup => html`<path class="grid" d="${path}" />`;

/** A line across for each of these values, with its name to the left. */
export function drawLevels(
  values: readonly number[],
  { left, right }: Pick<Plot, 'left' | 'right'>,
  up: (value: number) => number,
  { write = (value) => Math.round(value * 100), gap = 8 }: { write?: (value: number) => number; gap?: number } = {},
): Markup[] {
  return values.flatMap((value) => [
    gridLine(`M${left} ${up(value)} H${right}`),
    axisText(left - gap, up(value) + 4, 'end', write(value)),
  ]);
}

/** What the axes show. */
export function axisTitles({ left, right, top, bottom }: Plot, height: number, across: string, up: string): Markup[] {
  return [
    axisText((left + right) / 2, height, 'middle', across),
    html`<text class="axis" transform="translate(14 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle"
      >${up}</text
    >`,
  ];
}

/** A path through these places. */
export function joinPlaces(places: readonly (readonly [x: number, y: number])[]): string {
  return places.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}

export const whisker = (path: string): Markup => html`<path class="whisker" d="${path}" />`;

/** An interval that stands upright, with its ends. */
export function uprightWhisker(x: number, low: number, high: number, left = x - 4): Markup {
  return whisker(`M${x} ${low} V${high} M${left} ${low} h8 M${left} ${high} h8`);
}

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
export type DrawnShape = (typeof shapes)[number];

export function mark(shape: DrawnShape, x: number, y: number): Markup {
  if (shape === 'circle') return html`<circle class="mark" cx="${x}" cy="${y}" r="5" />`;
  if (shape === 'square') return html`<rect class="mark" x="${x - 4.5}" y="${y - 4.5}" width="9" height="9" />`;
  return html`<path class="mark" d="M${x} ${y - 7} L${x + 7} ${y} L${x} ${y + 7} L${x - 7} ${y} Z" />`;
}
