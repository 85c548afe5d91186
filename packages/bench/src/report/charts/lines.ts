import { html, inline, type Markup } from '@agonhq/engine/reports';
import { formatPercentEstimate, type Chart } from '../block.ts';
import { shortenName } from '../write-values.ts';
import {
  axisText,
  drawLevels,
  figure,
  labelled,
  mark,
  shapes,
  uprightWhisker,
  width,
  type DrawnShape,
} from './drawing.ts';
import type { Estimate, Interval } from '@agonhq/engine/statistics';

const lineHeight = 290;
const linePlot = { left: 46, right: width - 24, top: 16, bottom: lineHeight - 40 };

/** Values over columns, a line for each series; the scale shows what there is, not always from zero. */
export function drawLines({ title, columns, series }: Extract<Chart, { kind: 'lines' }>): Markup {
  const ticks = scaleOf(series.flatMap(({ points }) => points));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const up = (value: number) => linePlot.bottom - ((linePlot.bottom - linePlot.top) * (value - low)) / (high - low);
  const between = (linePlot.right - linePlot.left) / columns.length;
  // Side by side within a column, so that whiskers of one value do not hide each other.
  const across = (column: number, place: number) =>
    linePlot.left + between * (column + 0.5) + (place - (series.length - 1) / 2) * 14;
  const description = series.flatMap(({ name, points }) =>
    points.flatMap((point, column) =>
      point ? [`${shortenName(name)}, ${columns[column]}: ${formatPercentEstimate(point)}.`] : [],
    ),
  );
  const shapeOf = (place: number) => shapes[place % shapes.length]!;
  const key = series.map(
    ({ name }, place) =>
      html`<span class="series ${shapeOf(place)}"
        ><svg viewBox="0 0 20 20" aria-hidden="true">${mark(shapeOf(place), 10, 10)}</svg>
        ${inline(shortenName(name))}</span
      >`,
  );
  const drawn = labelled(title, description, lineHeight, [
    ...drawLevels(ticks, linePlot, up),
    ...columns.map((column, place) =>
      axisText(linePlot.left + between * (place + 0.5), lineHeight - 12, 'middle', column),
    ),
    ...series.map(({ points }, place) => oneLine(points, shapeOf(place), (column) => across(column, place), up)),
  ]);
  return figure(html`${title}<span class="key">${key}</span>`, drawn);
}

/** Where the lines of the scale are: as few round shares as hold every value with its interval. */
export function scaleOf(points: readonly (Estimate | null)[]): number[] {
  const values = points.flatMap((point) =>
    point === null || point.value === null ? [] : [point.value, ...(point.interval ?? [])],
  );
  const [lowest, highest] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const steps = [20, 10, 5].find((whole) => (highest - lowest) * whole < 6) ?? 4;
  const [low, high] = [Math.floor(lowest * steps + 1e-9), Math.ceil(highest * steps - 1e-9)];
  const from = low < high ? low : Math.max(0, low - 1);
  return Array.from({ length: Math.max(1, high - from) + 1 }, (_, tick) => (from + tick) / steps);
}

function oneLine(
  points: readonly (Estimate | null)[],
  shape: DrawnShape,
  across: (column: number) => number,
  up: (value: number) => number,
): Markup {
  const known = points.flatMap((point, column) =>
    point === null || point.value === null ? [] : [{ x: across(column), y: up(point.value), interval: point.interval }],
  );
  const whisker = (x: number, [low, high]: Interval) => uprightWhisker(x, up(low), up(high));
  return html`<g class="series ${shape}"
    ><polyline points="${known.map(({ x, y }) => `${x},${y}`).join(' ')}" />
    ${known.map(({ x, y, interval }) => html`${interval && whisker(x, interval)}${mark(shape, x, y)}`)}</g
  >`;
}
