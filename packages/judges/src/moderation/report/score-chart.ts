import { html, inline, type Markup } from '@agonhq/engine/reports';
import type { RiskView } from '@agonhq/engine/view';
import type { ModerationView, ShownSeries } from '../view.ts';

type Scores = ModerationView['scores'];
const title = 'How risky each side finds it, round by round';

const width = 440;
const height = 264;
const plot = { left: 40, right: width - 40, top: 24, bottom: height - 50 };

/** Scores over rounds as a drawing, and as the table that says the same and is its legend. */
export function renderScoreChart(scores: Scores): Markup {
  return html`<figure class="trajectory">${drawing(scores)}${table(scores)}</figure>`;
}

function drawing({ columns, series }: Scores): Markup {
  const across = (column: number) =>
    columns.length < 2
      ? (plot.left + plot.right) / 2
      : plot.left + 28 + ((plot.right - plot.left - 56) * column) / (columns.length - 1);
  const up = (value: number) => plot.bottom - (plot.bottom - plot.top) * Math.min(1, Math.max(0, value));
  const bar = findBar(series);
  const description = series.map(
    ({ name, points }) =>
      `${name}: ` +
      points
        .map(({ column, risk, isStandIn }) => `${columns[column]} ${risk.text}${isStandIn ? ' (fallback)' : ''}`)
        .join(', ') +
      '.',
  );
  return html`<svg
    class="chart"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-labelledby="chart-title chart-description"
  >
    <title id="chart-title">${title}</title>
    <desc id="chart-description">${[...description, ...(bar ? [`The bar is ${bar.barText}.`] : [])].join(' ')}</desc>
    ${[0, 0.25, 0.5, 0.75, 1].map(
      (value) =>
        html`<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${up(value)}" y2="${up(value)}" />
          <text class="axis" x="${plot.left - 8}" y="${up(value) + 4}" text-anchor="end">${value}</text>`,
    )}
    ${
      bar &&
      html`<line class="threshold" x1="${plot.left}" x2="${plot.right}" y1="${up(bar.bar)}" y2="${up(bar.bar)}" />
        <text class="threshold" x="${plot.right + 4}" y="${up(bar.bar) + 4}">bar</text>`
    }
    ${columns.map(
      (column, index) =>
        html`<text class="axis" x="${across(index)}" y="${height - 10}" text-anchor="middle">${column}</text>`,
    )}
    ${series.map(
      ({ shape, points }) =>
        html`<g class="series ${shape}">
          <polyline points="${points.map((point) => `${across(point.column)},${up(point.risk.value)}`).join(' ')}" />
          ${points.map(
            (point) =>
              html`${mark(shape, across(point.column), up(point.risk.value), findMark(point))}
                <text
                  class="value"
                  x="${across(point.column)}"
                  y="${up(point.risk.value) + (shape === 'square' ? 22 : -12)}"
                  text-anchor="middle"
                  >${point.risk.text}</text
                >`,
          )}
        </g>`,
    )}
  </svg>`;
}

/** A mark has the colour of what it says: a risk at or above the bar, or below it. */
function findMark({ risk, isStandIn }: ShownSeries['points'][number]): string {
  return `mark ${risk.isAbove ? 'above' : 'below'}${isStandIn ? ' hollow' : ''}`;
}

function mark(shape: ShownSeries['shape'], x: number, y: number, style: string): Markup {
  if (shape === 'circle') return html`<circle class="${style}" cx="${x}" cy="${y}" r="5.5" />`;
  if (shape === 'square') return html`<rect class="${style}" x="${x - 5}" y="${y - 5}" width="10" height="10" />`;
  return html`<path class="${style}" d="M${x} ${y - 8} L${x + 8} ${y} L${x} ${y + 8} L${x - 8} ${y} Z" />`;
}

/** All of them are held against the same bar. */
function findBar(series: Scores['series']): RiskView | undefined {
  return series.flatMap(({ points }) => points)[0]?.risk;
}

function table({ columns, series }: Scores): Markup {
  const cell = (points: ShownSeries['points'], column: number) => {
    const point = points.find((candidate) => candidate.column === column);
    return point ? `${point.risk.text}${point.isStandIn ? ' *' : ''}` : '';
  };
  const bar = findBar(series);
  const standIn = series.some(({ points }) => points.some((point) => point.isStandIn));
  const standInNote = '* A fallback: the seat gave no usable answer.';
  return html`<figcaption>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}, as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">Risk</th>
            ${columns.map((column) => html`<th scope="col" class="number">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${series.map(
            ({ name, shape, points }) =>
              html`<tr>
                <th scope="row">${legend(shape)}${inline(name)}</th>
                ${columns.map((_, column) => html`<td class="number">${cell(points, column)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="small">
      ${bar && html`At or above the bar of ${bar.barText} content is unsafe. `}${standIn && standInNote}
    </p>
  </figcaption>`;
}

function legend(shape: ShownSeries['shape']): Markup {
  return html`<svg class="legend series ${shape}" viewBox="0 0 20 20" aria-hidden="true">
    ${mark(shape, 10, 10, 'mark')}
  </svg>`;
}
