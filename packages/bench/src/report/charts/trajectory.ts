import { html, inline, type Markup } from '@agonhq/engine/reports';
import type { ResultTurn } from '../../result.ts';
import type { Spread, TrajectoryChart } from '../block.ts';
import { shortenName } from '../write-values.ts';
import { at, axisText, drawing, drawLevels, figure, joinPlaces, lineLegend, seriesClass } from './drawing.ts';
import { shortenCharacters } from '@agonhq/engine/text';

const size = [340, 250] as const;
const plot = { left: 40, right: 326, top: 12, bottom: 212 };
const up = (value: number) => at(plot.bottom - (plot.bottom - plot.top) * Math.min(1, Math.max(0, value)));

/** How sure the seats are over the rounds, a panel for each right label: the mean, and the middle half around it. */
export function drawTrajectory({ title, columns, panels }: TrajectoryChart): Markup {
  const names = panels[0]?.series ?? [];
  return figure(
    html`${title}${lineLegend(names)}`,
    html`<div class="panels">${panels.map((panel) => onePanel(title, columns, panel))}</div>`,
  );
}

function onePanel(
  title: string,
  columns: readonly string[],
  { label, items, series }: TrajectoryChart['panels'][number],
): Markup {
  const between = (plot.right - plot.left) / Math.max(1, columns.length);
  const across = (column: number) => at(plot.left + between * (column + 0.5));
  const name = shortenName(label);
  const description = series.flatMap((one) =>
    one.points.flatMap((point, column) =>
      point
        ? [
            `${shortenName(one.name)}, ${columns[column]}: ${point.mean.toFixed(2)} (${point.low.toFixed(2)} to ` +
              `${point.high.toFixed(2)}).`,
          ]
        : [],
    ),
  );
  return html`<div>
    <p class="small">${inline(name)} <small>${items} ${items === 1 ? 'item' : 'items'}</small></p>
    ${drawing(`${title}: items that are ${name}`, description, size, [
      ...drawLevels([0, 0.5, 1], plot, up, { write: (value) => value, gap: 7 }),
      ...columns.map((column, place) => axisText(across(place), plot.bottom + 20, 'middle', column)),
      ...series.map(({ points }, place) => oneSeat(points, place, across)),
    ])}
  </div>`;
}

function oneSeat(points: readonly (Spread | null)[], place: number, across: (column: number) => number): Markup {
  const known = points.flatMap((point, column) => (point ? [{ ...point, x: across(column) }] : []));
  const band = [
    ...known.map(({ x, high }) => `${x},${up(high)}`),
    ...known.toReversed().map(({ x, low }) => `${x},${up(low)}`),
  ];
  return html`<g class="stroke ${seriesClass(place)}"
    >${known.length > 1 && html`<polygon class="band" points="${band.join(' ')}" />`}
    <path
      class="curve"
      d="${joinPlaces(known.map(({ x, mean }) => [x, up(mean)]))}"
    />${known.map(({ x, mean }) => html`<circle class="mark" cx="${x}" cy="${up(mean)}" r="3.5" />`)}</g
  >`;
}

const small = { size: [150, 56] as const, left: 6, right: 144, top: 6, bottom: 50 };

/** The same for one item, small: a line for each seat. Null where nobody scored twice. */
export function drawSmallTrajectory(turns: readonly ResultTurn[]): Markup | null {
  const seats = Map.groupBy(
    turns.filter(({ round, score }) => round !== null && score !== null),
    ({ seat }) => seat,
  );
  const series = [...seats].filter(([, said]) => said.length > 1).slice(0, 8);
  if (series.length === 0) return null;
  const rounds = series.flatMap(([, said]) => said.map(({ round }) => round!));
  const [first, last] = [Math.min(...rounds), Math.max(...rounds)];
  const across = (round: number) =>
    at(small.left + ((small.right - small.left) * (round - first)) / Math.max(1, last - first));
  const level = (score: number) => at(small.bottom - (small.bottom - small.top) * Math.min(1, Math.max(0, score)));
  const words = series
    .map(([seat, said]) => `${shortenCharacters(seat, 40)} ${said.map(({ score }) => score!.toFixed(2)).join(', ')}`)
    .join('; ');
  return html`<svg
    class="small-chart"
    viewBox="0 0 ${small.size[0]} ${small.size[1]}"
    role="img"
    aria-label="Scores over the rounds: ${words}"
  >
    <path class="grid" d="M2 ${level(0.5)} H148" />
    ${series.map(([, said], place) => {
      const path = joinPlaces(said.map(({ round, score }) => [across(round!), level(score!)]));
      return html`<g class="stroke ${seriesClass(place)}"><path class="curve" d="${path}" /></g>`;
    })}
  </svg>`;
}
