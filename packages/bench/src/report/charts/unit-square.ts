import { html, inline, type Markup } from '@agonhq/engine/reports';
import { writePercent, type ReliabilityChart, type CurvesChart } from '../block.ts';
import { shortenName } from '../write-values.ts';
import {
  at,
  axisText,
  axisTitles,
  drawing,
  figure,
  gridLine,
  joinPlaces,
  lineLegend,
  seriesClass,
  uprightWhisker,
} from './drawing.ts';

/** The square from 0 to 1 in both directions, with its grid and the names of its axes. */
const square = { size: [380, 360] as const, left: 52, right: 364, top: 14, bottom: 306 };

const across = (value: number): number => at(square.left + (square.right - square.left) * value);
const up = (value: number): number => at(square.bottom - (square.bottom - square.top) * value);

const ticks = [0, 0.25, 0.5, 0.75, 1];

function squareGrid(horizontal: string, vertical: string): Markup[] {
  return [
    ...ticks.flatMap((value) => [
      gridLine(`M${square.left} ${up(value)} H${square.right} M${across(value)} ${square.top} V${square.bottom}`),
      axisText(square.left - 7, up(value) + 4, 'end', value * 100),
      axisText(across(value), square.bottom + 17, 'middle', value * 100),
    ]),
    ...axisTitles(square, square.size[1] - 14, horizontal, vertical),
  ];
}

const countHeight = 54;

/** What was said against what came true, bin by bin with its interval; and below, how many items each bin holds. */
export function drawReliability({ title, name, bins }: ReliabilityChart): Markup {
  const most = Math.max(1, ...bins.map(({ items }) => items));
  const height = square.size[1] + countHeight;
  const floor = height - 4;
  const known = bins.filter(({ share, meanProbability }) => share !== null && meanProbability !== null);
  const described = known.map(
    ({ from, to, items, share, meanProbability }) =>
      `${writePercent(from)} to ${writePercent(to)}: ${items} items, ` +
      `said ${writePercent(meanProbability)}, came true ${writePercent(share)}.`,
  );
  const curve = bins.flatMap(({ meanProbability, share }) =>
    share === null ? [] : [[across(meanProbability ?? 0), up(share)] as const],
  );
  const drawn = drawing(
    `${title}, ${shortenName(name)}`,
    ['The nearer to the diagonal, the better.', ...described],
    [square.size[0], height],
    [
      ...squareGrid('predicted, %', 'observed, %'),
      html`<path class="chance" d="${diagonal}" />`,
      html`<g class="stroke tone-0 dash-0"><path class="curve" d="${joinPlaces(curve)}" /></g>`,
      ...bins.map((bin) => oneBin(bin, most, floor)),
    ],
  );
  return figure(html`${title} <span class="key">${inline(shortenName(name))}</span>`, drawn);
}

const diagonal = `M${across(0)} ${up(0)} L${across(1)} ${up(1)}`;

function oneBin(
  { from, to, items, meanProbability, share, interval }: ReliabilityChart['bins'][number],
  most: number,
  floor: number,
): Markup {
  const tall = at(((countHeight - 18) * items) / most);
  const middle = at((across(from) + across(to)) / 2);
  const place = across(meanProbability ?? (from + to) / 2);
  const [left, wide] = [at(across(from) + 2), at(across(to) - across(from) - 4)];
  const bar = html`<rect class="count" x="${left}" y="${at(floor - tall)}" width="${wide}" height="${tall}" />`;
  const range = interval && uprightWhisker(place, up(interval[0]), up(interval[1]), at(place - 4));
  return html`${items > 0 && bar}
    <text class="axis tiny" x="${middle}" y="${at(floor - tall - 4)}" text-anchor="middle">${items}</text>
    ${
      share !== null &&
      html`<g class="stroke tone-0">${range}<circle class="mark" cx="${place}" cy="${up(share)}" r="4.5" /></g>`
    }`;
}

/** ROC and precision-recall curves: several systems in one square. */
export function drawCurves({ title, across: horizontal, up: vertical, chance, series }: CurvesChart): Markup {
  const guessing = chance === 'diagonal' ? diagonal : `M${across(0)} ${up(chance)} H${across(1)}`;
  const description = [
    `${vertical} over ${horizontal}, in percent. The thin line is guessing.`,
    ...series.map(({ name, note }) => `${shortenName(name)}: ${note}.`),
  ];
  const curves = series.map(
    ({ points }, place) =>
      html`<g class="stroke ${seriesClass(place)}"><path class="curve" d="${pathOf(points)}" /></g>`,
  );
  const drawn = drawing(title, description, square.size, [
    ...squareGrid(`${horizontal}, %`, `${vertical}, %`),
    html`<path class="chance" d="${guessing}" />`,
    ...curves.toReversed(),
  ]);
  return figure(html`${title}${lineLegend(series)}`, drawn);
}

/** The points that change the drawing: thousands of thresholds fall onto the same places and lines. */
function pathOf(points: CurvesChart['series'][number]['points']): string {
  const kept: [number, number][] = [];
  for (const { x, y } of points) {
    const place: [number, number] = [across(x), up(y)];
    const [last, before] = [kept.at(-1), kept.at(-2)];
    if (last && last[0] === place[0] && last[1] === place[1]) continue;
    const straight =
      last &&
      before &&
      ((before[0] === last[0] && last[0] === place[0]) || (before[1] === last[1] && last[1] === place[1]));
    if (straight) kept.pop();
    kept.push(place);
  }
  return joinPlaces(kept);
}
