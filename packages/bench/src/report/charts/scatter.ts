import { html, inline, type Markup } from '@agonhq/engine/reports';
import { formatPercentEstimate, type ScatterChart } from '../block.ts';
import { shortenName } from '../write-values.ts';
import {
  at,
  axisText,
  axisTitles,
  drawing,
  drawLevels,
  figure,
  gridLine,
  joinPlaces,
  seriesClass,
  whisker,
} from './drawing.ts';
import { scaleOf } from './lines.ts';

const size = [560, 330] as const;
const plot = { left: 52, right: 536, top: 18, bottom: 272 };
const zeroWidth = 44;

/** Quality over cost. What costs nothing has a column of its own; the thin line joins what nothing beats for less. */
export function drawScatter({ title, across: horizontal, up: vertical, written, points }: ScatterChart): Markup {
  const levels = scaleOf(points.map(({ quality }) => quality));
  const [low, high] = [levels[0]!, levels.at(-1)!];
  const up = (value: number) => at(plot.bottom - ((plot.bottom - plot.top) * (value - low)) / (high - low));
  const { across, ticks } = costScale(
    points.map(({ cost }) => cost),
    written,
  );
  const placed = points.map((point, place) => ({
    ...point,
    number: place + 1,
    x: across(point.cost),
    y: up(point.quality.value ?? low),
  }));
  const unbeaten = frontier(placed);
  const legend = points.map(
    ({ name }, place) =>
      html`<span
        ><span class="ordinal-tag ${seriesClass(place)}">${place + 1}</span> ${inline(shortenName(name))}</span
      >`,
  );
  const description = points.map(
    ({ name, cost, quality }) => `${shortenName(name)}: ${formatPercentEstimate(quality)} for ${written(cost)}.`,
  );
  const drawn = drawing(title, description, size, [
    ...drawLevels(levels, plot, up),
    ...ticks.flatMap(({ x, text }) => [
      gridLine(`M${x} ${plot.top} V${plot.bottom}`),
      axisText(x, plot.bottom + 18, 'middle', text),
    ]),
    ...axisTitles(plot, size[1] - 16, horizontal, `${vertical}, %`),
    html`<path class="chance" d="${joinPlaces(unbeaten.map(({ x, y }) => [x, y]))}" />`,
    ...placed.map(({ number, x, y, quality: { interval } }) => {
      const range = interval && whisker(`M${x} ${up(interval[0])} V${up(interval[1])}`);
      return html`<g class="stroke ${seriesClass(number - 1)}"
        >${range}<circle class="token" cx="${x}" cy="${y}" r="9" /><text
          class="ordinal"
          x="${x}"
          y="${at(y + 4)}"
          text-anchor="middle"
          >${number}</text
        ></g
      >`;
    }),
  ]);
  const caption = html`${title}; the dotted line joins the systems that no cheaper one matches`;
  return figure(html`${caption}<span class="key">${legend}</span>`, drawn);
}

function frontier<Point extends { x: number; y: number }>(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points.toSorted((a, b) => a.x - b.x || a.y - b.y))
    if (kept.every(({ y }) => point.y < y)) kept.push(point);
  return kept;
}

interface CostScale {
  across: (cost: number) => number;
  ticks: { x: number; text: string }[];
}

/** Straight while costs are alike, by powers of ten where they are not. */
function costScale(costs: readonly number[], written: (cost: number) => string): CostScale {
  const paid = costs.filter((cost) => cost > 0);
  const free = costs.some((cost) => cost <= 0);
  const left = plot.left + (free ? zeroWidth : 18);
  const [least, most] = [Math.min(...paid), Math.max(...paid)];
  const zero = free ? [{ x: plot.left + 14, text: written(0) }] : [];
  const between = (share: number) => at(left + (plot.right - 18 - left) * share);
  if (paid.length === 0) return { across: () => plot.left + 14, ticks: zero };
  if (most / least < 12) {
    const step = roundStep(most / 4);
    const top = Math.ceil(most / step - 1e-9) * step;
    const across = (cost: number) => (free && cost <= 0 ? plot.left + 14 : between(cost / top));
    const ticks = Array.from({ length: Math.round(top / step) }, (_, place) =>
      Number(((place + 1) * step).toPrecision(6)),
    );
    return { across, ticks: [...zero, ...ticks.map((cost) => ({ x: across(cost), text: written(cost) }))] };
  }
  const [low, high] = [Math.floor(Math.log10(least) + 1e-9), Math.ceil(Math.log10(most) - 1e-9)];
  const across = (cost: number) => (cost <= 0 ? plot.left + 14 : between((Math.log10(cost) - low) / (high - low)));
  const ticks = Array.from({ length: high - low + 1 }, (_, place) => Number(`1e${low + place}`));
  return { across, ticks: [...zero, ...ticks.map((cost) => ({ x: across(cost), text: written(cost) }))] };
}

function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return Number(((step / power <= 1 ? 1 : step / power <= 2 ? 2 : step / power <= 5 ? 5 : 10) * power).toPrecision(3));
}
